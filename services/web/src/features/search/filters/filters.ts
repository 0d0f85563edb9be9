import { searchIdFilters, type SearchIdFilter } from '@hearth/contract/searchFilters.ts';
import type { Match } from '../suggestions/matches.ts';
import type { Filters } from '../address/searchAddress.ts';
import { toSpan } from '../address/dateSpans.ts';

export const hasFilters = (filters: Filters): boolean => Object.values(filters).some((value) => value !== undefined);

export const listIds = (filters: Filters, filter: SearchIdFilter): readonly string[] =>
  filters[filter]?.split(',') ?? [];

/** Adds a suggestion to the filters. Cameras and dates replace the previous ones. */
export const addMatch = (filters: Filters, { kind, id, value }: Match): Filters => {
  switch (kind) {
    case 'camera':
      return { ...filters, camera: value };
    case 'date':
      return { ...filters, ...toSpan(value) };
    case 'person':
    case 'place':
    case 'thing':
    case 'album': {
      const filter = searchIdFilters[kind];
      const ids = new Set(listIds(filters, filter));
      if (id !== undefined) ids.add(id);
      return { ...filters, [filter]: [...ids].join(',') };
    }
  }
};

export const removeId = (filters: Filters, filter: SearchIdFilter, id: string): Filters => {
  const ids = listIds(filters, filter).filter((each) => each !== id);
  return { ...filters, [filter]: ids.length === 0 ? undefined : ids.join(',') };
};
