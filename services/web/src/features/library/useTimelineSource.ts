import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import type { GridItem } from '../../media/gridItem.ts';
import type { MediaSource } from '../../media/mediaSource.ts';
import { gridItemAt, type MonthGrid } from './monthGrid.ts';
import { listKeys } from '../../media/actions/listKeys.ts';
import type { TimelineGeometry } from './timelineGeometry.ts';

/** How many months before and behind that of the shown item belong to the source. */
interface Reach {
  readonly month: string | undefined;
  readonly before: number;
  readonly behind: number;
}

/** The month of the item that the viewer shows, and which months around it must be loaded for its neighbours. */
export const useShownMonths = (
  itemId: string | undefined,
  months: readonly string[],
): {
  readonly month: string | undefined;
  readonly wanted: readonly string[];
  readonly extend: (side: 'before' | 'behind') => void;
} => {
  const client = useQueryClient();
  const loaded =
    itemId === undefined
      ? undefined
      : monthOfItem(client.getQueriesData<MonthGrid>({ queryKey: listKeys.timelineGrid() }), itemId);
  const { data } = useQuery({
    queryKey: ['mediaItem', itemId],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}', { params: { id: itemId ?? '' }, signal }),
    enabled: itemId !== undefined && loaded === undefined,
  });
  const month = itemId === undefined ? undefined : (loaded ?? data?.localTime.slice(0, 7));
  const [reach, setReach] = useState<Reach>({ month: undefined, before: 1, behind: 1 });
  const { before, behind } = reach.month === month ? reach : { before: 1, behind: 1 };
  const number = month === undefined ? -1 : months.indexOf(month);
  return {
    month,
    wanted: number === -1 ? [] : months.slice(Math.max(0, number - before), number + behind + 1),
    extend: (side) =>
      setReach({ month, before: before + (side === 'before' ? 1 : 0), behind: behind + (side === 'behind' ? 1 : 0) }),
  };
};

/** The timeline as the viewer walks through it: the items of the months around the one that is shown, as far as they are loaded without a gap. */
export const useTimelineSource = (
  shown: ReturnType<typeof useShownMonths>,
  geometry: TimelineGeometry,
  error: Error | null,
): MediaSource => {
  const [itemsOf] = useState(makeItemLists);
  const { months } = geometry;
  const number = shown.month === undefined ? -1 : months.findIndex(({ month }) => month === shown.month);
  const isWanted = (place: number): boolean => shown.wanted.includes(months[place]?.month ?? '');
  const isLoaded = (place: number): boolean => isWanted(place) && months[place]?.grid !== undefined;
  let first = number;
  while (isLoaded(first - 1)) first -= 1;
  let last = number;
  while (isLoaded(last + 1)) last += 1;
  const grids =
    number === -1 || !isLoaded(number) ? [] : months.slice(first, last + 1).flatMap(({ grid }) => grid ?? []);
  return {
    items: itemsOf(grids),
    total: months.reduce((sum, { count }) => sum + count, 0),
    hasMore: last < months.length - 1,
    hasBefore: first > 0,
    isLoading: number !== -1 && grids.length === 0,
    error,
    // A month that is wanted already is under way.
    loadMore: () => {
      if (last < months.length - 1 && !isWanted(last + 1)) shown.extend('behind');
    },
    loadBefore: () => {
      if (first > 0 && !isWanted(first - 1)) shown.extend('before');
    },
  };
};

/** The month in which an item is, as far as its grid is there. */
export const monthOfItem = (
  grids: readonly (readonly [readonly unknown[], MonthGrid | undefined])[],
  itemId: string,
): string | undefined => {
  const found = grids.find(([, grid]) => grid?.ids.includes(itemId) === true);
  return found === undefined ? undefined : String(found[0].at(-1));
};

/** Answers the items of months; the same list as long as the months are the same. */
function makeItemLists(): (grids: readonly MonthGrid[]) => readonly GridItem[] {
  const lists = new WeakMap<MonthGrid, readonly GridItem[]>();
  let last: { readonly grids: readonly MonthGrid[]; readonly items: readonly GridItem[] } = { grids: [], items: [] };
  const listOf = (grid: MonthGrid): readonly GridItem[] => {
    const known = lists.get(grid) ?? grid.ids.map((_, index) => gridItemAt(grid, index));
    lists.set(grid, known);
    return known;
  };
  return (grids) => {
    const isSame = grids.length === last.grids.length && grids.every((grid, index) => grid === last.grids[index]);
    if (!isSame) last = { grids, items: grids.flatMap(listOf) };
    return last.items;
  };
}
