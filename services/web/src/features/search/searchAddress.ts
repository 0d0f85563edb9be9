/** What is searched for, and which of what is found is shown; kept in the address. */
export interface SearchAddress {
  readonly q: string;
  readonly type?: 'photo' | 'video' | undefined;
  readonly favourites?: true | undefined;
  readonly year?: number | undefined;
}

/** What an address says of a search; whatever else it says is passed over. */
export const readSearchAddress = (search: Record<string, unknown>): SearchAddress => {
  const { q, type, favourites, year } = search;
  return {
    // A number that is searched for is one in the address, too.
    q: typeof q === 'string' ? q : typeof q === 'number' ? String(q) : '',
    type: type === 'photo' || type === 'video' ? type : undefined,
    favourites: favourites === true ? true : undefined,
    year: typeof year === 'number' && Number.isInteger(year) ? year : undefined,
  };
};
