export interface AlbumsSearch {
  /** `updated`: most recently updated first. Default: by name. */
  readonly sort?: 'updated' | undefined;
  readonly hidden?: true | undefined;
}

/** Parses the search parameters. Ignores invalid ones. */
export const readAlbumsSearch = (search: Record<string, unknown>): AlbumsSearch => ({
  sort: search['sort'] === 'updated' ? 'updated' : undefined,
  hidden: search['hidden'] === true ? true : undefined,
});
