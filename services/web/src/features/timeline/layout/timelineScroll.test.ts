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

/** Like `months`, but loaded. */
const makeLoadedMonths = (heights: readonly number[]): TimelineGeometry =>
  months(heights, { rows: [], days: [], lefts: [], widths: [], height: 0 });

/** Sets the scroll position. happy-dom has no layout, so it does not limit the value. */
const scrollBar = (value: number): void => {
  Object.defineProperty(window, 'scrollY', { value, configurable: true, writable: true });
};

const dragTo = (value: number): void => {
  scrollBar(value);
  window.dispatchEvent(new Event('scroll'));
};

const endScrolling = (): void => void window.dispatchEvent(new Event('scrollend'));

describe('timeline scroll', () => {
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

  it('follows the scroll position', () => {
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(1200);
    expect(scroll.top()).toBe(1200);
    expect(scroll.get().shift).toBe(0);
  });

  it('keeps the visible rows when a month above grows, and corrects the scroll bar shortly after scrolling ends', () => {
    vi.useFakeTimers();
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(3000);
    dragTo(6000);
    scroll.setGeometry(months([8000, 5000]), 0);
    expect(window.scrollY).toBe(6000);
    expect(scroll.top()).toBe(9000);
    expect(scroll.get().shift).toBe(3000);
    endScrolling();
    vi.advanceTimersByTime(400);
    expect(window.scrollY).toBe(6000);
    vi.advanceTimersByTime(100);
    expect(window.scrollY).toBe(9000);
    expect(scroll.get().shift).toBe(0);
    expect(scroll.top()).toBe(9000);
    vi.useRealTimers();
  });

  it('includes scrolling not yet reported by an event when heights change', () => {
    scroll.setGeometry(months([5000, 5000]), 0);
    dragTo(3000);
    dragTo(6000);
    scrollBar(6500);
    scroll.setGeometry(months([8000, 5000]), 0);
    expect(scroll.top()).toBe(9500);
    expect(scroll.get().shift).toBe(3000);
  });

  it('reaches the top when content and scroll bar are out of sync', () => {
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

  it('stays at the top when new items are added there', () => {
    scroll.setGeometry(months([5000]), 0);
    scroll.setGeometry(months([300, 5000]), 0);
    expect(scroll.top()).toBe(0);
  });

  it('stays at a requested month while heights change', () => {
    scroll.setGeometry(months([5000, 5000, 5000]), 0);
    scroll.holdAt({ section: '2098-01', kind: 'part', part: 0 });
    expect(scroll.top()).toBe(5000);
    scroll.setGeometry(months([9000, 100, 5000]), 0);
    expect(scroll.top()).toBe(9000);
  });

  it('reaches any position of a timeline higher than a browser can scroll', () => {
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

  it('renders only the screen after a jump, and its surroundings a while later', async () => {
    // Sections are only requested once the scrolling of other tests has ended.
    await vi.waitFor(() => expect(isScrollingFast()).toBe(false));
    vi.useFakeTimers();
    scroll.setGeometry(makeLoadedMonths([5000, 5000]), 0);
    expect(scroll.get()).toMatchObject({ from: 0, to: 1200, wanted: ['2099-01'] });
    vi.advanceTimersByTime(1000);
    expect(scroll.get()).toMatchObject({ from: -960, to: 1920, wanted: ['2099-01'] });
    scroll.scrollTo(7000);
    expect(scroll.get()).toMatchObject({ from: 6960, to: 8160, wanted: ['2098-01'] });
    vi.advanceTimersByTime(1000);
    expect(scroll.get()).toMatchObject({ from: 6240, to: 8880 });
    vi.useRealTimers();
  });

  it('does not render the surroundings before the screen has loaded, unless the user scrolls', () => {
    vi.useFakeTimers();
    scroll.setGeometry(months([5000, 5000]), 0);
    vi.advanceTimersByTime(5000);
    expect(scroll.get()).toMatchObject({ from: 0, to: 1200 });
    scroll.setGeometry(makeLoadedMonths([5000, 5000]), 0);
    vi.advanceTimersByTime(1000);
    expect(scroll.get()).toMatchObject({ from: -960, to: 1920 });
    scroll.scrollTo(7000);
    vi.advanceTimersByTime(100);
    dragTo(7100);
    expect(scroll.get()).toMatchObject({ from: 6240, to: 8880 });
    vi.useRealTimers();
  });
});
