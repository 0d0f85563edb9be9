import { bandCount, getBand, landArea, microDegrees, noArea, type Sections } from '../placesFile.ts';
import type { Ring } from './countries.ts';

/** An area with its outline. The area without a country is all land. */
export interface Outlined {
  readonly country: number | undefined;
  readonly rings: readonly Ring[];
}

type AreaSections = Pick<Sections, 'areas' | 'outline' | 'outlineAreas' | 'bands' | 'bandEdges'>;

/** Encodes the areas, smallest first, with the edges that touch each band of latitude. */
export const encodeAreas = (outlined: readonly Outlined[]): AreaSections => {
  const areas = outlined.toSorted((a, b) => computeExtent(a) - computeExtent(b));
  const corners: number[] = [];
  const edgeAreas: number[] = [];
  const bands: number[][] = Array.from({ length: bandCount }, () => []);
  for (const [area, { rings }] of areas.entries()) {
    for (const ring of rings) {
      for (const [index, [longitude = 0, latitude = 0]] of ring.entries()) {
        const corner = edgeAreas.length;
        corners.push(Math.round(longitude * microDegrees), Math.round(latitude * microDegrees));
        const next = ring[index + 1]?.[1];
        edgeAreas.push(next === undefined ? noArea : area);
        if (next === undefined) continue;
        const last = getBand(Math.max(latitude, next));
        for (let band = getBand(Math.min(latitude, next)); band <= last; band++) bands[band]?.push(corner);
      }
    }
  }
  const starts = [0];
  for (const edges of bands) starts.push((starts.at(-1) ?? 0) + edges.length);
  return {
    areas: toBytes(Uint16Array.from(areas, ({ country }) => country ?? landArea)),
    outline: toBytes(Int32Array.from(corners)),
    outlineAreas: toBytes(Uint16Array.from(edgeAreas)),
    bands: toBytes(Uint32Array.from(starts)),
    bandEdges: toBytes(Uint32Array.from(bands.flat())),
  };
};

/** Returns the size of the bounding box of an area, in square degrees. */
const computeExtent = ({ rings }: Outlined): number => {
  const [west, south, east, north] = rings
    .flat()
    .reduce<[number, number, number, number]>(
      (box, [x = 0, y = 0]) => [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)],
      [180, 90, -180, -90],
    );
  return (east - west) * (north - south);
};

/** Returns the memory of an array of numbers. */
export const toBytes = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
