import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../lib/api/client.ts';
import type { GridItem } from '../../lib/items/gridItem.ts';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { getGridItem, type SectionGrid } from './layout/sectionGrid.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import type { TimelineGeometry } from './layout/timelineGeometry.ts';

/** Numbers of sections before and after the current one to load. */
interface LoadedRange {
  readonly section: string | undefined;
  readonly before: number;
  readonly after: number;
}

/** Returns the section of the item in the viewer, and the sections to load for its neighbours. */
export const useShownSections = (
  itemId: string | undefined,
  sections: readonly string[],
): {
  readonly section: string | undefined;
  readonly wanted: readonly string[];
  readonly extend: (side: 'before' | 'after') => void;
} => {
  const client = useQueryClient();
  const loaded =
    itemId === undefined
      ? undefined
      : sections.find(
          (section) => client.getQueryData<SectionGrid>(listKeys.timelineGrid(section))?.ids.includes(itemId) === true,
        );
  const { data } = useQuery({
    queryKey: ['mediaItem', itemId],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}', { params: { id: itemId ?? '' }, signal }),
    enabled: itemId !== undefined && loaded === undefined,
  });
  const section =
    itemId === undefined ? undefined : (loaded ?? sections.find((each) => data?.localTime.startsWith(each) === true));
  const [loadedRange, setLoadedRange] = useState<LoadedRange>({ section: undefined, before: 1, after: 1 });
  const { before, after } = loadedRange.section === section ? loadedRange : { before: 1, after: 1 };
  const number = section === undefined ? -1 : sections.indexOf(section);
  return {
    section,
    wanted: number === -1 ? [] : sections.slice(Math.max(0, number - before), number + after + 1),
    extend: (side) =>
      setLoadedRange({
        section,
        before: before + (side === 'before' ? 1 : 0),
        after: after + (side === 'after' ? 1 : 0),
      }),
  };
};

/** Media source of the viewer: the items of contiguous loaded sections around the current item. */
export const useTimelineSource = (
  shown: ReturnType<typeof useShownSections>,
  geometry: TimelineGeometry,
  error: Error | null,
): MediaSource => {
  const [listItems] = useState(makeItemLists);
  const { sections } = geometry;
  const number = useMemo(
    () => sections.findIndex(({ section }) => section === shown.section),
    [sections, shown.section],
  );
  const total = useMemo(() => sections.reduce((sum, { count }) => sum + count, 0), [sections]);
  const isWanted = (place: number): boolean => shown.wanted.includes(sections[place]?.section ?? '');
  const isLoaded = (place: number): boolean => isWanted(place) && sections[place]?.grid !== undefined;
  let first = number;
  while (isLoaded(first - 1)) first -= 1;
  let last = number;
  while (isLoaded(last + 1)) last += 1;
  const grids =
    number === -1 || !isLoaded(number) ? [] : sections.slice(first, last + 1).flatMap(({ grid }) => grid ?? []);
  return {
    items: listItems(grids),
    total,
    hasMore: last < sections.length - 1,
    hasBefore: first > 0,
    isLoading: number !== -1 && grids.length === 0,
    error,
    // A requested section is already loading.
    loadMore: () => {
      if (last < sections.length - 1 && !isWanted(last + 1)) shown.extend('after');
    },
    loadBefore: () => {
      if (first > 0 && !isWanted(first - 1)) shown.extend('before');
    },
  };
};

export const findSection = (
  grids: readonly (readonly [readonly unknown[], SectionGrid | undefined])[],
  itemId: string,
): string | undefined => {
  const found = grids.find(([, grid]) => grid?.ids.includes(itemId) === true);
  return found === undefined ? undefined : String(found[0].at(-1));
};

/** Returns a function that concatenates the items of sections. Returns the same list for the same sections. */
function makeItemLists(): (grids: readonly SectionGrid[]) => readonly GridItem[] {
  const lists = new WeakMap<SectionGrid, readonly GridItem[]>();
  let last: { readonly grids: readonly SectionGrid[]; readonly items: readonly GridItem[] } = { grids: [], items: [] };
  const getItemList = (grid: SectionGrid): readonly GridItem[] => {
    const known = lists.get(grid) ?? grid.ids.map((_, index) => getGridItem(grid, index));
    lists.set(grid, known);
    return known;
  };
  return (grids) => {
    const isSame = grids.length === last.grids.length && grids.every((grid, index) => grid === last.grids[index]);
    if (!isSame) last = { grids, items: grids.flatMap(getItemList) };
    return last.items;
  };
}
