import type { QueryClient } from '@tanstack/react-query';
import type { SectionGrid } from './sectionGrid.ts';
import { listKeys } from '../../media/actions/listKeys.ts';

/** The favourites among the items of the months that are loaded. */
export const loadedFavourites = (client: QueryClient): ReadonlySet<string> =>
  new Set(
    client
      .getQueriesData<SectionGrid>({ queryKey: listKeys.timelineGrid() })
      .flatMap(([, grid]) => [...(grid?.favourites ?? [])].map((index) => grid?.ids[index] ?? '')),
  );
