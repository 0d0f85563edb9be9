import KDBush from 'kdbush';

/** A position on earth, in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const earthRadiusKm = 6_371;
const kmPerDegree = (earthRadiusKm * Math.PI) / 180;
const radians = Math.PI / 180;

/** Kilometres between two positions, along the earth's surface. */
export const distanceKm = (from: Position, latitude: number, longitude: number): number => {
  const sinLatitude = Math.sin(((latitude - from.latitude) * radians) / 2);
  const sinLongitude = Math.sin(((longitude - from.longitude) * radians) / 2);
  const squared =
    sinLatitude ** 2 + Math.cos(from.latitude * radians) * Math.cos(latitude * radians) * sinLongitude ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(squared)));
};

/** Degrees of latitude of this many kilometres. */
export const degreesOfLatitude = (km: number): number => km / kmPerDegree;

/** Degrees of longitude that span at least this many kilometres everywhere within that distance of a latitude; near the poles all of them. */
export const degreesOfLongitude = (km: number, latitude: number): number => {
  const furthest = Math.min(90, Math.abs(latitude) + degreesOfLatitude(km));
  const perDegree = kmPerDegree * Math.cos(furthest * radians);
  return perDegree * 180 <= km ? 180 : km / perDegree;
};

/** Reads an index of points; it takes memory of its own. */
export const readIndex = (section: Uint8Array): KDBush => KDBush.from(new Uint8Array(section).buffer);

/** The points of an index in a box that contains all positions within this many kilometres, also across the date line. */
export const pointsAround = (index: KDBush, { latitude, longitude }: Position, km: number): number[] => {
  const height = degreesOfLatitude(km);
  const width = degreesOfLongitude(km, latitude);
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
  readonly scoreOf: (point: number, km: number) => number;
  /** The lowest score that a point beyond this distance may have: it ends the search early. */
  readonly lowestBeyond: (km: number) => number;
}

/** Kilometres around a position that are searched first; doubled until nothing further away can be better. */
const firstRadiusKm = 2;

/** The best point of an index around a position. */
export const findPoint = (
  index: KDBush,
  position: Position,
  { withinKm, isWanted, scoreOf, lowestBeyond }: PointSearch,
): number | undefined => {
  let best: number | undefined;
  let lowest = Infinity;
  for (let radius = Math.min(firstRadiusKm, withinKm); ; radius = Math.min(2 * radius, withinKm)) {
    for (const point of pointsAround(index, position, radius)) {
      if (!isWanted(point)) continue;
      const km = distanceKm(position, index.coords[2 * point + 1]!, index.coords[2 * point]!);
      const score = scoreOf(point, km);
      if (km > withinKm || score >= lowest) continue;
      lowest = score;
      best = point;
    }
    if (radius >= withinKm || lowestBeyond(radius) >= lowest) return best;
  }
};

/** The score of a search for the nearest point. */
export const byDistance = {
  scoreOf: (_: number, km: number): number => km,
  lowestBeyond: (km: number): number => km,
} as const;
