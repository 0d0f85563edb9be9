import KDBush from 'kdbush';

/** A position in degrees, north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const earthRadiusKm = 6_371;
const kmPerDegree = (earthRadiusKm * Math.PI) / 180;
const radians = Math.PI / 180;

/** Returns the great-circle distance in km. */
export const distanceKm = (from: Position, latitude: number, longitude: number): number => {
  const sinLatitude = Math.sin(((latitude - from.latitude) * radians) / 2);
  const sinLongitude = Math.sin(((longitude - from.longitude) * radians) / 2);
  const squared =
    sinLatitude ** 2 + Math.cos(from.latitude * radians) * Math.cos(latitude * radians) * sinLongitude ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(squared)));
};

/** Converts km to degrees of latitude. */
export const toLatitudeDegrees = (km: number): number => km / kmPerDegree;

/** Returns the degrees of longitude that span at least `km` everywhere within `km` of a latitude; 180 near the poles. */
export const toLongitudeDegrees = (km: number, latitude: number): number => {
  const maxLatitude = Math.min(90, Math.abs(latitude) + toLatitudeDegrees(km));
  const perDegree = kmPerDegree * Math.cos(maxLatitude * radians);
  return perDegree * 180 <= km ? 180 : km / perDegree;
};

/** Reads a spatial index, into separate memory. */
export const readIndex = (section: Uint8Array): KDBush => KDBush.from(new Uint8Array(section).buffer);

/** Returns the points of an index in a box that contains all positions within `km`, also across the date line. */
export const listPointsAround = (index: KDBush, { latitude, longitude }: Position, km: number): number[] => {
  const height = toLatitudeDegrees(km);
  const width = toLongitudeDegrees(km, latitude);
  const within = (west: number, east: number): number[] =>
    index.range(west, latitude - height, east, latitude + height);
  if (width >= 180) return within(-180, 180);
  const points = within(longitude - width, longitude + width);
  if (longitude - width < -180) points.push(...within(longitude - width + 360, 180));
  if (longitude + width > 180) points.push(...within(-180, longitude + width - 360));
  return points;
};

/** A search among the points of an index. */
export interface PointSearch {
  readonly withinKm: number;
  readonly isWanted: (point: number) => boolean;
  /** The lowest score wins. */
  readonly getScore: (point: number, km: number) => number;
  /** Returns the lowest possible score of points beyond this distance. This bound ends the search early. */
  readonly getLowestScoreBeyond: (km: number) => number;
}

/** Initial radius, doubled until no point further away can be better. */
const firstRadiusKm = 2;

/** Returns the best point of an index around a position. */
export const findPoint = (
  index: KDBush,
  position: Position,
  { withinKm, isWanted, getScore, getLowestScoreBeyond }: PointSearch,
): number | undefined => {
  let best: number | undefined;
  let lowest = Infinity;
  for (let radius = Math.min(firstRadiusKm, withinKm); ; radius = Math.min(2 * radius, withinKm)) {
    for (const point of listPointsAround(index, position, radius)) {
      if (!isWanted(point)) continue;
      const km = distanceKm(position, index.coords[2 * point + 1]!, index.coords[2 * point]!);
      const score = getScore(point, km);
      if (km > withinKm || score >= lowest) continue;
      lowest = score;
      best = point;
    }
    if (radius >= withinKm || getLowestScoreBeyond(radius) >= lowest) return best;
  }
};

/** Scores of a nearest neighbour search. */
export const byDistance = {
  getScore: (_: number, km: number): number => km,
  getLowestScoreBeyond: (km: number): number => km,
} as const;
