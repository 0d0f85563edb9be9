import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { getMonthAt, type Anchor, type TimelineGeometry } from './layout/timelineGeometry.ts';
import type { TimelineScroll } from './layout/timelineScroll.ts';

const route = getRouteApi('/app/');

/** Delay before the URL is updated after scrolling, in ms. Browsers limit history updates to a few per second. */
const writeDelayMs = 400;

/** Session storage key of the exact scroll anchor for the current `?at=`. Reload and Back restore it. */
const storageKey = 'hearth-timeline-place';

/** Synchronizes the month in view with the URL (`?at=2022-04`), in both directions. */
export const useTimelineAddress = (
  scroll: TimelineScroll,
  geometry: TimelineGeometry,
  isLayoutReady: boolean,
): void => {
  const at = route.useSearch({ select: (search) => search.at });
  const navigate = route.useNavigate();
  /** Month last read from or written to the URL. null: nothing yet. */
  const syncedMonth = useRef<string | undefined | null>(null);
  const latest = useRef(geometry);

  useLayoutEffect(() => {
    latest.current = geometry;
  });
  useLayoutEffect(() => {
    if (!isLayoutReady || at === syncedMonth.current) return;
    syncedMonth.current = at;
    if (at === undefined) scroll.scrollTo(0);
    else scroll.holdAt(readStoredAnchor(at) ?? { section: at, kind: 'part', part: 0 });
  }, [isLayoutReady, at, scroll]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      if (syncedMonth.current === null) return;
      const { months } = latest.current;
      const month = scroll.top() < 1 ? undefined : months[getMonthAt(latest.current, scroll.top() + 8)]?.month;
      const anchor = scroll.anchor();
      if (anchor !== undefined) sessionStorage.setItem(storageKey, JSON.stringify({ at: month, anchor }));
      if (month === syncedMonth.current) return;
      syncedMonth.current = month;
      void navigate({
        to: '.',
        search: (before) => ({ ...before, at: month }),
        // The viewer may have been opened meanwhile. Keeps its history state.
        state: true,
        replace: true,
        resetScroll: false,
      });
    };
    const unsubscribe = scroll.subscribeToTop(() => {
      clearTimeout(timer);
      timer = setTimeout(write, writeDelayMs);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [scroll, navigate]);
};

function readStoredAnchor(at: string): Anchor | undefined {
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as {
    readonly at?: string;
    readonly anchor?: Anchor;
  };
  return stored.at === at ? stored.anchor : undefined;
}
