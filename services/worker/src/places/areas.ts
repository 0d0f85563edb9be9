import { getBand, landArea, microDegrees, noArea, type Sections, toUint16, toUint32, toInt32 } from './placesFile.ts';
import { toLatitudeDegrees, toLongitudeDegrees, type Position } from './nearby.ts';

/** Country of a position, and whether the position is on land. */
export interface Area {
  /** Number of the country, including its waters; undefined outside of all countries. */
  readonly country: number | undefined;
  readonly isLand: boolean;
}

/** Outlines of countries and of all land. */
export interface Areas {
  find(position: Position): Area;
  /** True if a coast is within this distance. For positions that are not on land. */
  isNearCoast(position: Position, km: number): boolean;
}

/**
 * Reads the outlines. A position is in an area if a line from it to the east crosses the area's edges an odd number of times. Only edges in the
 * position's band of latitude are checked.
 */
export const readAreas = (sections: Sections): Areas => {
  const countries = toUint16(sections.areas);
  const corners = toInt32(sections.outline);
  const edgeAreas = toUint16(sections.outlineAreas);
  const bands = toUint32(sections.bands);
  const bandEdges = toUint32(sections.bandEdges);
  const listEdges = (band: number): Uint32Array => bandEdges.subarray(bands[band], bands[band + 1]);

  const find = ({ latitude, longitude }: Position): Area => {
    const x = longitude * microDegrees;
    const y = latitude * microDegrees;
    const inside = new Set<number>();
    for (const corner of listEdges(getBand(latitude))) {
      const fromY = corners[2 * corner + 1]!;
      const toY = corners[2 * corner + 3]!;
      if (fromY > y === toY > y) continue;
      const fromX = corners[2 * corner]!;
      const toX = corners[2 * corner + 2]!;
      if (fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX) <= x) continue;
      const area = edgeAreas[corner]!;
      if (!inside.delete(area)) inside.add(area);
    }
    const isLand = [...inside].some((area) => countries[area] === landArea);
    // Smaller areas have smaller numbers, so an enclave precedes the area around it.
    const [area = noArea] = [...inside].filter((each) => countries[each] !== landArea).toSorted((a, b) => a - b);
    return { country: area === noArea ? undefined : countries[area], isLand };
  };

  const isNearCoast = ({ latitude, longitude }: Position, km: number): boolean => {
    const height = toLatitudeDegrees(km);
    const width = toLongitudeDegrees(km, latitude);
    const [x, y] = [longitude * microDegrees, latitude * microDegrees];
    // Size of `km` in the unit of the corners. Divided by it, distances are multiples of `km`.
    const [unitX, unitY] = [width * microDegrees, height * microDegrees];
    for (let band = getBand(latitude - height); band <= getBand(latitude + height); band++) {
      for (const corner of listEdges(band)) {
        if (countries[edgeAreas[corner]!] !== landArea) continue;
        const from = [(corners[2 * corner]! - x) / unitX, (corners[2 * corner + 1]! - y) / unitY] as const;
        const to = [(corners[2 * corner + 2]! - x) / unitX, (corners[2 * corner + 3]! - y) / unitY] as const;
        if (distanceToOrigin(from, to) <= 1) return true;
      }
    }
    return false;
  };

  return { find, isNearCoast };
};

type Point = readonly [x: number, y: number];

/** Returns the distance of a line segment from the origin. */
const distanceToOrigin = ([fromX, fromY]: Point, [toX, toY]: Point): number => {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const length = alongX ** 2 + alongY ** 2;
  const fraction = length === 0 ? 0 : Math.max(0, Math.min(1, -(fromX * alongX + fromY * alongY) / length));
  return Math.hypot(fromX + fraction * alongX, fromY + fraction * alongY);
};
