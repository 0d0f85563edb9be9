/** In degrees. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Query parameters of `GET /v1/explore/places/map`. */
export interface MapArea {
  readonly bounds: string;
  readonly zoom: number;
}

/**
 * Returns the area to request for a map that shows `bounds`. Rounds outwards to whole steps, so that small moves need
 * no request. The API's zoom is one higher than MapLibre's: at zoom 0, the world is 256 pixels wide instead of 512.
 */
export const toMapArea = (bounds: Bounds, mapLibreZoom: number): MapArea => {
  const zoom = Math.max(0, Math.floor(mapLibreZoom + 1));
  const step = 360 / 2 ** zoom;
  const down = (value: number, limit: number): number => Math.max(-limit, Math.floor(value / step) * step);
  const up = (value: number, limit: number): number => Math.min(limit, Math.ceil(value / step) * step);
  return {
    bounds: [down(bounds.west, 180), down(bounds.south, 90), up(bounds.east, 180), up(bounds.north, 90)].join(','),
    zoom,
  };
};

/** Returns the smallest bounds that contain all positions, or undefined without positions. */
export const getBounds = (
  positions: readonly { readonly latitude: number; readonly longitude: number }[],
): Bounds | undefined => {
  if (positions.length === 0) return undefined;
  const latitudes = positions.map(({ latitude }) => latitude);
  const longitudes = positions.map(({ longitude }) => longitude);
  return {
    west: Math.min(...longitudes),
    south: Math.min(...latitudes),
    east: Math.max(...longitudes),
    north: Math.max(...latitudes),
  };
};
