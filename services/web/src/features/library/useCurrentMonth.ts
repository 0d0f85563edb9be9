import { useSyncExternalStore } from 'react';
import { monthAt, type TimelineGeometry } from './timelineGeometry.ts';
import type { TimelineScroll } from './timelineScroll.ts';

/** The number of the month at the upper edge of the screen; a month of which only the last line is left counts no more. */
export const useCurrentMonth = (geometry: TimelineGeometry, scroll: TimelineScroll): number =>
  useSyncExternalStore(scroll.subscribeToTop, () => monthAt(geometry, scroll.top() + 8));
