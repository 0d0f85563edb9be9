/** What a map shows: its middle in degrees, WGS 84, and MapLibre's zoom. */
export interface MapView {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

/** The whole world, with most of its land in the middle. */
export const worldView: MapView = { latitude: 25, longitude: 10, zoom: 1 };

/** A view as an address has it: `46.802,8.227,5.3`; the position to about 100 m. */
export const formatMapView = ({ latitude, longitude, zoom }: MapView): string =>
  [latitude.toFixed(3), longitude.toFixed(3), zoom.toFixed(1)].join(',');

/** The view that an address has; undefined for what is none. */
export const readMapView = (text: string | undefined): MapView | undefined => {
  const parts = (text ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = parts;
  const isView =
    parts.length === 3 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 22;
  return isView ? { latitude, longitude, zoom } : undefined;
};
