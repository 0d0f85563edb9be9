import type { MediaItemCategory, MediaItemType } from './vocabulary.ts';

/** What items must be besides what the words of a search find: the filters by the names that they have in addresses. */
export interface SearchFilters {
  /** Ids. An item must be with all of these people, show all of these things, and be in one of the places and in one of the albums. */
  readonly people?: readonly string[] | undefined;
  readonly things?: readonly string[] | undefined;
  readonly places?: readonly string[] | undefined;
  readonly albums?: readonly string[] | undefined;
  readonly type?: MediaItemType | undefined;
  readonly category?: MediaItemCategory | undefined;
  readonly favourite?: boolean | undefined;
  /** Words of its make and model. */
  readonly camera?: string | undefined;
  /** The first and the last local day, `2019-06-01`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The filters that are ids, by what these are ids of. */
export const searchIdFilters = { person: 'people', place: 'places', thing: 'things', album: 'albums' } as const;

/** The name of a filter that is ids. */
export type SearchIdFilter = (typeof searchIdFilters)[keyof typeof searchIdFilters];
