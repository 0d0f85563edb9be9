import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useElementBox } from '../../components/grid/input/useElementBox.ts';
import { makeLayouts } from './layout/layouts.ts';
import type { SectionGrid } from './layout/sectionGrid.ts';
import { evictFarSections, gridQuery, sectionsQuery } from './queries.ts';
import type { TimelineGeometry } from './layout/timelineGeometry.ts';
import { makeTimelineScroll, type TimelineScroll } from './layout/timelineScroll.ts';
import { getTimelineSize } from './layout/sectionLayout.ts';

/**
 * Sections of the timeline with their heights. `scroll` holds the visible part, which changes with each scroll step.
 */
export interface Timeline {
  readonly geometry: TimelineGeometry;
  readonly scroll: TimelineScroll;
  /** Distance of the timeline from the top of the page, in CSS pixels. */
  readonly pageTop: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
  /** True once the page is measured and the sections are loaded. Before that, positions are unknown. */
  readonly isLayoutReady: boolean;
  readonly hasFailed: (section: string) => boolean;
}

/** Loads the sections of the timeline, and the items of sections that are near the viewport or in `extraSections`. */
export const useTimeline = (element: HTMLElement | null, extraSections: readonly string[]): Timeline => {
  const client = useQueryClient();
  const { data: sections = noSections, isPending, error } = useQuery(sectionsQuery);
  const [scroll] = useState(makeTimelineScroll);
  const onScreen = useSyncExternalStore(scroll.subscribe, () => scroll.get().wanted);
  const { width, pageTop } = useElementBox(element);
  const layouts = useMemo(() => makeLayouts(getTimelineSize(width, rootFontSize())), [width]);

  const wantedSections = [...new Set([...onScreen, ...extraSections])];
  const results = useQueries({ queries: wantedSections.map((section) => gridQuery(client, section)) });
  const grids = new Map(
    wantedSections.map((section, number): [string, SectionGrid | undefined] => [section, results[number]?.data]),
  );
  const failed = new Set(wantedSections.filter((_, number) => results[number]?.isError === true));
  const geometry = layouts.stack(sections, grids);
  const isLayoutReady = width > 0 && sections.length > 0;

  useEffect(() => scroll.listen(), [scroll]);
  useLayoutEffect(() => {
    if (isLayoutReady) scroll.setGeometry(geometry, pageTop);
  });
  const [nearest] = onScreen;
  useEffect(() => {
    if (nearest !== undefined) evictFarSections(client, sections, nearest);
  }, [client, sections, nearest]);
  return {
    geometry,
    scroll,
    pageTop,
    isLoading: isPending,
    error,
    isLayoutReady,
    hasFailed: (section) => failed.has(section),
  };
};

const noSections: readonly never[] = [];

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
