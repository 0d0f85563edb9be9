import { readJson } from './packageFile.ts';
import type { Ring } from './countries.ts';

/** TopoJSON: outlines that share lines. Each line is stored once, as steps on a grid. */
interface Topology {
  readonly transform: { readonly scale: Point; readonly translate: Point };
  readonly arcs: readonly (readonly Point[])[];
  readonly objects: { readonly land: { readonly geometries: readonly { readonly arcs: readonly number[][][] }[] } };
}

type Point = readonly [x: number, y: number];

const origin: Point = [0, 0];

/** Returns the outlines of all land, from Natural Earth at 1:10 million. */
export const readLand = async (): Promise<Ring[]> => {
  const { arcs, objects, transform } = await readJson<Topology>('world-atlas/land-10m.json');
  const lines = arcs.map((steps) => {
    let [x, y] = [0, 0];
    return steps.map(([dx, dy]): Point => {
      x += dx;
      y += dy;
      return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
    });
  });
  // A negative number is the complement of a line's number, and means the reversed line. Each line begins where the previous one ended.
  const getLine = (number: number): readonly Point[] =>
    number < 0 ? (lines[~number] ?? []).toReversed() : (lines[number] ?? []);
  return objects.land.geometries
    .flatMap((geometry) => geometry.arcs.flat())
    .map((numbers) => numbers.flatMap((number, index) => getLine(number).slice(index === 0 ? 0 : 1)))
    .flatMap(unwrapRing);
};

/**
 * Converts a ring on the globe to rings on a map from -180 to 180 degrees. A ring that crosses the date line extends beyond the edge, and is repeated
 * on the other side. A ring around the South Pole is closed along the lower edge.
 */
export const unwrapRing = (ring: readonly Point[]): Ring[] => {
  let shift = 0;
  const flat = ring.map(([x, y], index): Point => {
    const step = x - (ring[index - 1]?.[0] ?? x);
    if (Math.abs(step) > 180) shift -= 360 * Math.sign(step);
    return [x + shift, y];
  });
  const first = flat[0] ?? origin;
  const last = flat.at(-1) ?? origin;
  if (first[0] !== last[0]) flat.push([last[0], -90], [first[0], -90], first);
  const xs = flat.map(([x]) => x);
  const [west, east] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  return [0, ...(west < -180 ? [360] : []), ...(east > 180 ? [-360] : [])].map((by) =>
    flat.map(([x, y]) => [x + by, y]),
  );
};
