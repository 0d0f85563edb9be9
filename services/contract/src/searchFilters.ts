import type { MediaItemCategory, MediaItemType } from './vocabulary.ts';

/** The filters of a search, by their names in URLs. */
export interface SearchFilters {
  /** Ids. An item must show all of these people and things, and be in one of the places and in one of the albums. */
  readonly people?: readonly string[] | undefined;
  readonly things?: readonly string[] | undefined;
  readonly places?: readonly string[] | undefined;
  readonly albums?: readonly string[] | undefined;
  readonly type?: MediaItemType | undefined;
  readonly category?: MediaItemCategory | undefined;
  readonly favourite?: boolean | undefined;
  /** Words of make and model. */
  readonly camera?: string | undefined;
  /** The first and last local day, such as `2019-06-01`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Filters with ids, by kind. */
export const searchIdFilters = { person: 'people', place: 'places', thing: 'things', album: 'albums' } as const;

export type SearchIdFilter = (typeof searchIdFilters)[keyof typeof searchIdFilters];
