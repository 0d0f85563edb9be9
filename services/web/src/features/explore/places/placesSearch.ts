/** How the page of all places is looked at; kept in its address. */
export interface PlacesSearch {
  /** What the map shows, as `formatMapView` writes it; the whole world unless given. */
  readonly map?: string | undefined;
}

/** What an address says of how to look at the places; whatever else it says is passed over. */
export const readPlacesSearch = (search: Record<string, unknown>): PlacesSearch => ({
  map: typeof search['map'] === 'string' ? search['map'] : undefined,
});
