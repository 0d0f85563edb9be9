import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useBox } from '../../components/grid/input/useBox.ts';
import { makeLayouts } from './layout/layouts.ts';
import type { SectionGrid } from './layout/sectionGrid.ts';
import { forgetFarSections, gridQuery, sectionsQuery } from './queries.ts';
import type { TimelineGeometry } from './layout/timelineGeometry.ts';
import { makeTimelineScroll, type TimelineScroll } from './layout/timelineScroll.ts';
import { timelineSizeFor } from './layout/sectionLayout.ts';

/** All sections with their heights, as far as they are known. What of them is on the screen, `scroll` knows: it changes with each step of scrolling. */
export interface Timeline {
  readonly geometry: TimelineGeometry;
  readonly scroll: TimelineScroll;
  /** The lower edge of what lies above the timeline and stays there, in CSS pixels. */
  readonly pageTop: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** Whether the page was measured and sections are there: only then is anything at its place. */
  readonly isPlaced: boolean;
  readonly hasFailed: (section: string) => boolean;
}

/** Loads the timeline's sections, and the items of those that are near the screen or that are named. */
export const useTimeline = (element: HTMLElement | null, alsoWanted: readonly string[]): Timeline => {
  const client = useQueryClient();
  const { data: sections = none, isPending, error } = useQuery(sectionsQuery);
  const [scroll] = useState(makeTimelineScroll);
  const onScreen = useSyncExternalStore(scroll.subscribe, () => scroll.get().wanted);
  const { width, pageTop } = useBox(element);
  const layouts = useMemo(() => makeLayouts(timelineSizeFor(width, rootFontSize())), [width]);

  const wanted = [...new Set([...onScreen, ...alsoWanted])];
  const results = useQueries({ queries: wanted.map((section) => gridQuery(client, section)) });
  const grids = new Map(
    wanted.map((section, number): [string, SectionGrid | undefined] => [section, results[number]?.data]),
  );
  const failed = new Set(wanted.filter((_, number) => results[number]?.isError === true));
  const geometry = layouts.stack(sections, grids);
  const isPlaced = width > 0 && sections.length > 0;

  useEffect(() => scroll.listen(), [scroll]);
  useLayoutEffect(() => {
    if (isPlaced) scroll.setGeometry(geometry, pageTop);
  });
  const [nearest] = onScreen;
  useEffect(() => {
    if (nearest !== undefined) forgetFarSections(client, sections, nearest);
  }, [client, sections, nearest]);
  return {
    geometry,
    scroll,
    pageTop,
    isLoading: isPending,
    error,
    isPlaced,
    hasFailed: (section) => failed.has(section),
  };
};

const none: readonly never[] = [];

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
