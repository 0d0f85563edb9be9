import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useBox } from '../../media/grid/useBox.ts';
import { makeLayouts } from './layouts.ts';
import type { MonthGrid } from './monthGrid.ts';
import { forgetFarMonths, gridQuery, monthsQuery } from './queries.ts';
import type { TimelineGeometry } from './timelineGeometry.ts';
import { makeTimelineScroll, type TimelineScroll, type TimelineWindow } from './timelineScroll.ts';
import { timelineSizeFor } from './timelineSize.ts';

/** All months with their heights, as far as they are known, and what of them is on the screen. */
export interface Timeline {
  readonly geometry: TimelineGeometry;
  readonly scroll: TimelineScroll;
  readonly window: TimelineWindow;
  /** The lower edge of what lies above the timeline and stays there, in CSS pixels. */
  readonly pageTop: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Whether the page was measured and months are there: only then is anything at its place. */
  readonly isPlaced: boolean;
  readonly hasFailed: (month: string) => boolean;
}

/** Loads the timeline's months, and the items of those that are near the screen or that are named. */
export const useTimeline = (element: HTMLElement | null, alsoWanted: readonly string[]): Timeline => {
  const client = useQueryClient();
  const { data: months = none, isPending, error } = useQuery(monthsQuery);
  const [scroll] = useState(makeTimelineScroll);
  const window = useSyncExternalStore(scroll.subscribe, scroll.get);
  const { width, pageTop } = useBox(element);
  const layouts = useMemo(() => makeLayouts(timelineSizeFor(width, rootFontSize())), [width]);

  const wanted = [...new Set([...window.wanted, ...alsoWanted])];
  const results = useQueries({ queries: wanted.map((month) => gridQuery(client, month)) });
  const grids = new Map(wanted.map((month, number): [string, MonthGrid | undefined] => [month, results[number]?.data]));
  const failed = new Set(wanted.filter((_, number) => results[number]?.isError === true));
  const geometry = layouts.stack(months, (month) => grids.get(month));
  const isPlaced = width > 0 && months.length > 0;

  useEffect(() => scroll.listen(), [scroll]);
  useLayoutEffect(() => {
    if (isPlaced) scroll.setGeometry(geometry, pageTop);
  });
  const [nearest] = window.wanted;
  useEffect(() => {
    if (nearest !== undefined) forgetFarMonths(client, months, nearest);
  }, [client, months, nearest]);
  return {
    geometry,
    scroll,
    window,
    pageTop,
    isLoading: isPending,
    error,
    isPlaced,
    hasFailed: (month) => failed.has(month),
  };
};

const none: readonly never[] = [];

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
