import type { QueryClient } from '@tanstack/react-query';
import type { MonthGrid } from './monthGrid.ts';
import { listKeys } from '../../media/actions/listKeys.ts';

/** The favourites among the items of the months that are loaded. */
export const loadedFavourites = (client: QueryClient): ReadonlySet<string> =>
  new Set(
    client
      .getQueriesData<MonthGrid>({ queryKey: listKeys.timelineGrid() })
      .flatMap(([, grid]) => [...(grid?.favourites ?? [])].map((index) => grid?.ids[index] ?? '')),
  );
