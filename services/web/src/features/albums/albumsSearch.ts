/** How the page of all albums is looked at; kept in its address. */
export interface AlbumsSearch {
  /** By name unless the albums that changed last come first. */
  readonly sort?: 'updated' | undefined;
  /** The hidden albums instead of the others. */
  readonly hidden?: true | undefined;
}

/** What an address says of how to look at the albums; whatever else it says is passed over. */
export const readAlbumsSearch = (search: Record<string, unknown>): AlbumsSearch => ({
  sort: search['sort'] === 'updated' ? 'updated' : undefined,
  hidden: search['hidden'] === true ? true : undefined,
});
