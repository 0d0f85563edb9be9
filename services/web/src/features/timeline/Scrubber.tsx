import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  memo,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Scrubber.module.css';
import { timelineDates } from './layout/timelineDates.ts';
import { getMonthAt, type TimelineGeometry } from './layout/timelineGeometry.ts';
import type { TimelineScroll } from './layout/timelineScroll.ts';
import { makeScrubberTicks } from './layout/scrubberTicks.ts';

/** Time that the handle stays visible after scrolling on small screens, in ms. */
const hideDelayMs = 1500;

/** Timeline scrubber at the right edge. Shows the scroll position. Dragging its handle scrolls to any month. */
export const Scrubber = (props: {
  readonly geometry: TimelineGeometry;
  readonly scroll: TimelineScroll;
  readonly pageTop: number;
}) => {
  const { geometry, scroll, pageTop } = props;
  const { t, i18n } = useTranslation('library');
  const dates = timelineDates(i18n.language);
  const track = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const [isDragging, setIsDragging] = useState(false);
  const [pointedY, setPointedY] = useState<number>();
  const trackHeight = useTrackHeight(pageTop);
  const current = useCurrentMonth(geometry, scroll);
  const scrubber = useMovingHandle(scroll);
  const currentMonth = geometry.months[current];

  const getFractionAt = (clientY: number): number => {
    const { top: edge = 0, height = 1 } = track.current?.getBoundingClientRect() ?? {};
    return Math.min(1, Math.max(0, (clientY - edge) / height));
  };
  const scrollToFraction = (clientY: number): void => scroll.scrollTo(getFractionAt(clientY) * geometry.height);
  const goToMonth = (number: number): void => {
    const next = geometry.months[Math.min(geometry.months.length - 1, Math.max(0, number))];
    if (next !== undefined) scroll.holdAt({ section: next.month, kind: 'part', part: 0 });
  };
  const handlePointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    setIsDragging(true);
    scrollToFraction(event.clientY);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const next = {
      ArrowDown: current + 1,
      ArrowRight: current + 1,
      ArrowUp: current - 1,
      ArrowLeft: current - 1,
      PageDown: current + 12,
      PageUp: current - 12,
      Home: 0,
      End: geometry.months.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    goToMonth(next);
  };

  const shownMonth =
    isDragging || pointedY === undefined
      ? currentMonth?.month
      : geometry.months[getMonthAt(geometry, pointedY * geometry.height)]?.month;
  const isPointing = !isDragging && pointedY !== undefined;
  // The handle and the dragged bubble follow each frame of scrolling without a React render.
  useLayoutEffect(() => {
    const follow = (): void => {
      const y = getScrollFraction(geometry, scroll.top()) * trackHeight;
      if (handle.current !== null) handle.current.style.transform = centerAt(y);
      if (bubble.current !== null) bubble.current.style.transform = centerAt(isPointing ? pointedY * trackHeight : y);
    };
    follow();
    return scroll.subscribeToTop(follow);
  });
  return (
    <div
      ref={scrubber}
      className={styles['scrubber']}
      style={{ top: pageTop }}
      data-dragging={isDragging ? '' : undefined}
    >
      <div
        ref={track}
        className={styles['track']}
        onPointerDown={handlePointerDown}
        onPointerMove={(event) => {
          if (isDragging) scrollToFraction(event.clientY);
          else if (event.pointerType === 'mouse') setPointedY(getFractionAt(event.clientY));
        }}
        onPointerUp={() => setIsDragging(false)}
        onPointerCancel={() => setIsDragging(false)}
        onPointerLeave={() => setPointedY(undefined)}
      >
        <ScrubberTicks geometry={geometry} trackHeight={trackHeight} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={t('scrubber')}
          aria-orientation="vertical"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, geometry.months.length - 1)}
          aria-valuenow={current}
          aria-valuetext={
            currentMonth === undefined
              ? ''
              : t('scrubberValue', { month: dates.month(currentMonth.month), count: currentMonth.count })
          }
          ref={handle}
          className={styles['handle']}
          onKeyDown={handleKeyDown}
        />
        {shownMonth !== undefined && (isDragging || pointedY !== undefined) && (
          <span ref={bubble} aria-hidden className={styles['bubble']}>
            {dates.shortMonth(shownMonth)}
          </span>
        )}
      </div>
    </div>
  );
};

/** A transform needs no layout in each frame of scrolling. */
const centerAt = (y: number): string => `translateY(calc(${y}px - 50%))`;

/** Returns the fraction of the timeline above a position, from 0 to 1. */
function getScrollFraction({ height }: TimelineGeometry, top: number): number {
  return height === 0 ? 0 : Math.min(1, top / height);
}

/** Margin above and below the track, in CSS pixels, same as in the CSS. */
const trackMargin = 16;

function useTrackHeight(pageTop: number): number {
  const [windowHeight, setWindowHeight] = useState(() => window.innerHeight);
  useEffect(() => {
    const measure = (): void => setWindowHeight(window.innerHeight);
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return Math.max(0, windowHeight - pageTop - 2 * trackMargin);
}

/**
 * Sets `data-moving` on an element during scrolling and shortly after. Bypasses React, because the scroll position
 * changes in each frame.
 */
function useMovingHandle(scroll: TimelineScroll): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = scroll.subscribeToTop(() => {
      if (timer === undefined) element.current?.setAttribute('data-moving', '');
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        element.current?.removeAttribute('data-moving');
      }, hideDelayMs);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [scroll]);
  return element;
}

/** Year and month marks of the scrubber. Screen readers use the slider instead. */
const ScrubberTicks = memo(
  ({ geometry, trackHeight }: { readonly geometry: TimelineGeometry; readonly trackHeight: number }) =>
    makeScrubberTicks(geometry, trackHeight).map(({ month, year, y }) => (
      <span
        key={month}
        aria-hidden
        className={year === undefined ? styles['month'] : styles['year']}
        style={{ top: y }}
      >
        {year}
      </span>
    )),
);

/** Returns the index of the month at the top of the screen. Ignores a month that ends within the next 8 pixels. */
const useCurrentMonth = (geometry: TimelineGeometry, scroll: TimelineScroll): number =>
  useSyncExternalStore(scroll.subscribeToTop, () => getMonthAt(geometry, scroll.top() + 8));
