import { useEffect, useMemo } from 'react';
import type { MediaSource } from '../../media/mediaSource.ts';
import { filterFound, isFiltering, type Filters } from './filterFound.ts';

/**
 * What of a list passes the filters. Those of the API's search are not asked for yet: while any is set, the whole of what was found is loaded, which is
 * a thousand items at most, and looked through here.
 */
export const useFilteredSource = (source: MediaSource, filters: Filters): MediaSource => {
  const isOn = isFiltering(filters);
  const { items, hasMore, loadMore, error } = source;
  const { type, favourites, year } = filters;
  const filtered = useMemo(() => filterFound(items, { type, favourites, year }), [items, type, favourites, year]);
  useEffect(() => {
    if (isOn && hasMore && error === null) loadMore();
  });
  if (!isOn) return source;
  return {
    ...source,
    items: filtered,
    total: undefined,
    isLoading: source.isLoading || (hasMore && filtered.length === 0),
  };
};
