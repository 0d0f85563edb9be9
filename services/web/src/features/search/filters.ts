import type { Match } from './matches.ts';
import type { Filters } from './searchAddress.ts';
import { spanOf } from './spans.ts';

/** The filters that are ids. */
export const idFilters = ['people', 'places', 'things', 'albums'] as const;
export type IdFilter = (typeof idFilters)[number];

/** The filter by which what is called so is searched. */
const filterOf = { person: 'people', place: 'places', thing: 'things', album: 'albums' } as const;

/** Whether anything is left out. */
export const isFiltering = (filters: Filters): boolean => Object.values(filters).some((value) => value !== undefined);

/** The ids that a filter names. */
export const listIds = (filters: Filters, filter: IdFilter): readonly string[] => filters[filter]?.split(',') ?? [];

/** The filters with something suggested as one more: another camera and another time replace those that were there. */
export const withMatch = (filters: Filters, { kind, id, value }: Match): Filters => {
  switch (kind) {
    case 'camera':
      return { ...filters, camera: value };
    case 'date':
      return { ...filters, ...spanOf(value) };
    case 'person':
    case 'place':
    case 'thing':
    case 'album': {
      const filter = filterOf[kind];
      const ids = new Set(listIds(filters, filter));
      if (id !== undefined) ids.add(id);
      return { ...filters, [filter]: [...ids].join(',') };
    }
  }
};

/** The filters without one of the ids. */
export const withoutId = (filters: Filters, filter: IdFilter, id: string): Filters => {
  const ids = listIds(filters, filter).filter((each) => each !== id);
  return { ...filters, [filter]: ids.length === 0 ? undefined : ids.join(',') };
};
