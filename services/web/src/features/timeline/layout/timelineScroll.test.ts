// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isScrollingFast } from '../../../components/grid/layout/scrollSpeed.ts';
import type { SectionLayout } from './sectionLayout.ts';
import { stackSections, type TimelineGeometry } from './timelineGeometry.ts';
import { makeTimelineScroll } from './timelineScroll.ts';

const months = (heights: readonly number[], layout?: SectionLayout): TimelineGeometry =>
  stackSections(
    heights.map((height, number) => ({
      section: `20${String(99 - number).padStart(2, '0')}-01`,
      count: 1,
      height,
      grid: undefined,
      layout,
    })),
  );

/** The same with all that is in them. */
const known = (heights: readonly number[]): TimelineGeometry =>
  months(heights, { rows: [], days: [], lefts: [], widths: [], height: 0 });

/** The browser's scroll bar: happy-dom has no layout, so that the page is as high as it is said to be. */
const scrollBar = (value: number): void => {
  Object.defineProperty(window, 'scrollY', { value, configurable: true, writable: true });
};

const dragTo = (value: number): void => {
  scrollBar(value);
  window.dispatchEvent(new Event('scroll'));
};

const rest = (): void => void window.dispatchEvent(new Event('scrollend'));

describe('scrolling the timeline', () => {
  let end: () => void;
  let scroll: ReturnType<typeof makeTimelineScroll>;
  beforeEach(() => {
    scrollBar(0);
    vi.spyOn(window, 'scrollTo').mockImplementation(((options: ScrollToOptions) =>
      scrollBar(options.top ?? 0)) as never);
    Object.defineProperty(window, 'innerHeight', { value: 1000, configurable: true });
    scroll = makeTimelineScroll();
    end = scroll.listen();
  });
  afterEach(() => {
    end();
    vi.restoreAllMocks();
  });

  it('follows the scroll bar', () => {
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(1200);
    expect(scroll.top()).toBe(1200);
    expect(scroll.get().shift).toBe(0);
  });

  it('keeps what is on the screen when a month above turns out higher, and lets go of the scroll bar until it has rested for a moment', () => {
    vi.useFakeTimers();
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(3000);
    dragTo(6000);
    scroll.setGeometry(months([8000, 5000]), 0);
    expect(window.scrollY).toBe(6000);
    expect(scroll.top()).toBe(9000);
    expect(scroll.get().shift).toBe(3000);
    rest();
    vi.advanceTimersByTime(400);
    expect(window.scrollY).toBe(6000);
    vi.advanceTimersByTime(100);
    expect(window.scrollY).toBe(9000);
    expect(scroll.get().shift).toBe(0);
    expect(scroll.top()).toBe(9000);
    vi.useRealTimers();
  });

  it('loses no scrolling that was not heard of yet when heights become known', () => {
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(3000);
    dragTo(6000);
    scrollBar(6500);
    scroll.setGeometry(months([8000, 5000]), 0);
    expect(scroll.top()).toBe(9500);
    expect(scroll.get().shift).toBe(3000);
  });

  it('reaches the beginning even when it has moved away from the end of the scroll bar', () => {
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(3000);
    dragTo(6000);
    scroll.setGeometry(months([2000, 5000]), 0);
    expect(scroll.top()).toBe(3000);
    dragTo(3500);
    dragTo(2900);
    expect(scroll.top()).toBe(0);
    expect(window.scrollY).toBe(0);
  });

  it('stays with the latest photos when new ones come and one is at the top', () => {
    scroll.setGeometry(months([5000]), 0);
    scroll.setGeometry(months([300, 5000]), 0);
    expect(scroll.top()).toBe(0);
  });

  it('stays at a month that was asked for, whatever becomes known, until somebody scrolls', () => {
    scroll.setGeometry(months([5000, 5000, 5000]), 0);
    scroll.stayAt({ section: '2098-01', kind: 'part', part: 0 });
    expect(scroll.top()).toBe(5000);
    scroll.setGeometry(months([9000, 100, 5000]), 0);
    expect(scroll.top()).toBe(9000);
  });

  it('leads to any place of a timeline that is higher than a browser can scroll', () => {
    scroll.setGeometry(months(Array.from({ length: 40 }, () => 1_000_000)), 0);
    dragTo(4_000_000);
    expect(scroll.top() / 40_000_000).toBeCloseTo(0.5, 3);
    const { shift } = scroll.get();
    dragTo(4_000_060);
    expect(scroll.get().shift).toBe(shift);
    dragTo(8_000_000 - 1000);
    expect(scroll.top()).toBeCloseTo(40_000_000 - 1000, 0);
    scroll.scrollTo(12_345_678);
    expect(scroll.top()).toBeCloseTo(12_345_678, 0);
  });

  it('renders after a jump what is on the screen alone, and what is around it when that has been there a while', async () => {
    // Months are wanted as soon as what another test has scrolled is at rest.
    await vi.waitFor(() => expect(isScrollingFast()).toBe(false));
    vi.useFakeTimers();
    scroll.setGeometry(known([5000, 5000]), 0);
    expect(scroll.get()).toMatchObject({ from: 0, to: 1200, wanted: ['2099-01'] });
    vi.advanceTimersByTime(1000);
    expect(scroll.get()).toMatchObject({ from: -960, to: 1920, wanted: ['2099-01'] });
    scroll.scrollTo(7000);
    expect(scroll.get()).toMatchObject({ from: 6960, to: 8160, wanted: ['2098-01'] });
    vi.advanceTimersByTime(1000);
    expect(scroll.get()).toMatchObject({ from: 6240, to: 8880 });
    vi.useRealTimers();
  });

  it('waits with what is around the screen until that is known, unless somebody scrolls', () => {
    vi.useFakeTimers();
    scroll.setGeometry(months([5000, 5000]), 0);
    vi.advanceTimersByTime(5000);
    expect(scroll.get()).toMatchObject({ from: 0, to: 1200 });
    scroll.setGeometry(known([5000, 5000]), 0);
    vi.advanceTimersByTime(1000);
    expect(scroll.get()).toMatchObject({ from: -960, to: 1920 });
    scroll.scrollTo(7000);
    vi.advanceTimersByTime(100);
    dragTo(7100);
    expect(scroll.get()).toMatchObject({ from: 6240, to: 8880 });
    vi.useRealTimers();
  });
});
