import type { MediaItemCategory, MediaItemType } from './vocabulary.ts';

/** The filters of a search, by their names in URLs. */
export interface SearchFilters {
  /** Ids of people; an item must show all of them. */
  readonly people?: readonly string[] | undefined;
  /** Ids of things; an item must show all of them. */
  readonly things?: readonly string[] | undefined;
  /** Ids of places; an item must be in one of them. */
  readonly places?: readonly string[] | undefined;
  /** Ids of albums; an item must be in one of them. */
  readonly albums?: readonly string[] | undefined;
  readonly type?: MediaItemType | undefined;
  readonly category?: MediaItemCategory | undefined;
  readonly favourite?: boolean | undefined;
  /** Words of make and model. */
  readonly camera?: string | undefined;
  /** The first local day, such as `2019-06-01`. */
  readonly from?: string | undefined;
  /** The last local day. */
  readonly to?: string | undefined;
}

/** Filters with ids, by kind. */
export const searchIdFilters = { person: 'people', place: 'places', thing: 'things', album: 'albums' } as const;

export type SearchIdFilter = (typeof searchIdFilters)[keyof typeof searchIdFilters];
