import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useBox } from '../../components/grid/input/useBox.ts';
import { makeLayouts } from './layout/layouts.ts';
import type { SectionGrid } from './layout/sectionGrid.ts';
import { forgetFarSections, gridQuery, sectionsQuery } from './queries.ts';
import type { TimelineGeometry } from './layout/timelineGeometry.ts';
import { makeTimelineScroll, type TimelineScroll } from './layout/timelineScroll.ts';
import { timelineSizeFor } from './layout/sectionLayout.ts';

/**
 * Sections of the timeline with their heights. `scroll` holds the visible part, which changes with each scroll step.
 */
export interface Timeline {
  readonly geometry: TimelineGeometry;
  readonly scroll: TimelineScroll;
  /** Bottom of the fixed bar above the timeline, in CSS pixels. */
  readonly pageTop: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** True once the page is measured and the sections are loaded. Before that, nothing has its position. */
  readonly isPlaced: boolean;
  readonly hasFailed: (section: string) => boolean;
}

/** Loads the sections of the timeline, and the items of sections that are near the viewport or in `alsoWanted`. */
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
