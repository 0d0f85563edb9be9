/** A part of the world in degrees. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** A part of the world as `GET /v1/explore/places/map` takes it. */
export interface MapArea {
  readonly bounds: string;
  readonly zoom: number;
}

/**
 * The part to ask for when a map shows `bounds`: outwards to whole steps, so that a map that is moved a little asks nothing new. At MapLibre's zoom 0
 * the world is 512 pixels wide, at the API's 256: so its zooms are one more.
 */
export const mapAreaOf = (bounds: Bounds, mapLibreZoom: number): MapArea => {
  const zoom = Math.max(0, Math.floor(mapLibreZoom + 1));
  const step = 360 / 2 ** zoom;
  const down = (value: number, limit: number): number => Math.max(-limit, Math.floor(value / step) * step);
  const up = (value: number, limit: number): number => Math.min(limit, Math.ceil(value / step) * step);
  return {
    bounds: [down(bounds.west, 180), down(bounds.south, 90), up(bounds.east, 180), up(bounds.north, 90)].join(','),
    zoom,
  };
};

/** The smallest part that has all positions in it; undefined where there is none. */
export const boundsAround = (
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
