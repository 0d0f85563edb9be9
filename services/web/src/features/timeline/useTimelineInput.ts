import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getCenter, moveInGrid, findNearestInRow, type MovingKey } from '../../components/grid/input/gridNavigation.ts';
import { useGridInput } from '../../components/grid/input/useGridInput.ts';
import { useSelectionStore } from '../../components/selection/Selection.tsx';
import type { SectionGrid } from './layout/sectionGrid.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { gridQuery } from './queries.ts';
import { getMonth, getRowTop, type SectionPlace, type TimelineGeometry } from './layout/timelineGeometry.ts';
import type { TimelineScroll } from './layout/timelineScroll.ts';
import { findSection } from './useTimelineSource.ts';

type LoadedPlace = SectionPlace & {
  readonly grid: NonNullable<SectionPlace['grid']>;
  readonly layout: NonNullable<SectionPlace['layout']>;
};

const isLoaded = (place: SectionPlace | undefined): place is LoadedPlace =>
  place?.grid !== undefined && place.layout !== undefined;

/** Input handlers of the timeline, with ranges and arrow keys that cross days and months. */
export const useTimelineInput = (geometry: TimelineGeometry, scroll: TimelineScroll, onOpen: (id: string) => void) => {
  const client = useQueryClient();
  const selection = useSelectionStore();
  const anchorSection = useRef<string>(undefined);
  const { sections } = geometry;

  // The section where a range starts may be unloaded before the user selects its end.
  useEffect(
    () =>
      selection.subscribe(() => {
        const anchor = selection.anchor();
        if (anchor === undefined) return;
        const loaded = client.getQueriesData<SectionGrid>({ queryKey: listKeys.timelineGrid() });
        anchorSection.current = findSection(loaded, anchor) ?? anchorSection.current;
      }),
    [client, selection],
  );

  const find = (id: string): { readonly number: number; readonly index: number } | undefined => {
    for (const [number, { grid }] of sections.entries()) {
      const index = grid?.ids.indexOf(id) ?? -1;
      if (index !== -1) return { number, index };
    }
    return undefined;
  };

  return useGridInput({
    onOpen,
    move: (id, key) => {
      const found = find(id);
      const place = found === undefined ? undefined : sections[found.number];
      if (found === undefined || !isLoaded(place)) return undefined;
      const next = moveInGrid(place.layout, found.index, key);
      if (typeof next === 'number') return place.grid.ids[next];
      const neighbour = sections[found.number + (next === 'after' ? 1 : -1)];
      return isLoaded(neighbour) ? enterSection(neighbour, key, getCenter(place.layout, found.index)) : undefined;
    },
    reveal: (id) => {
      const found = find(id);
      const place = found === undefined ? undefined : sections[found.number];
      if (found === undefined || !isLoaded(place)) return;
      const top = place.top + getRowTop(place.layout, found.index);
      scroll.scrollTo(top - window.innerHeight / 3);
    },
    idsBetween: async (from, to) => {
      const start = sections.findIndex(({ section }) => section === anchorSection.current);
      const end = find(to)?.number ?? -1;
      if (start === -1 || end === -1) return [to];
      const between = sections.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ section }) => section);
      const dates = between.length > maxLoadedSections ? [...new Set(between.map(getMonth))] : between;
      const grids = await Promise.all(dates.map((date) => client.ensureQueryData(gridQuery(client, date))));
      const ids = grids.flatMap((grid) => grid.ids);
      const ends = [ids.indexOf(from), ids.indexOf(to)];
      return ends.includes(-1) ? [to] : ids.slice(Math.min(...ends), Math.max(...ends) + 1);
    },
  });
};

/** Selecting a range over more sections than this loads whole months. */
const maxLoadedSections = 31;

/** Returns the item that receives focus when a key enters a section from above or below. */
function enterSection({ grid, layout }: LoadedPlace, key: MovingKey, centre: number): string | undefined {
  if (key === 'ArrowRight') return grid.ids[0];
  if (key === 'ArrowLeft') return grid.ids.at(-1);
  return grid.ids[findNearestInRow(layout, key === 'ArrowDown' ? 0 : layout.rows.length - 1, centre)];
}
