import KDBush from 'kdbush';
import { toBytes } from './encodeAreas.ts';

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Points in the order of their index, so that the number of a point gives both its coordinates in the index and its values in other sections. */
export interface IndexedPoints<Item> {
  readonly items: readonly Item[];
  readonly index: Uint8Array;
}

/** Builds a spatial index of points. */
export const indexPoints = <Item extends Point>(items: readonly Item[]): IndexedPoints<Item> => {
  const index = new KDBush(items.length, 16, Float32Array);
  for (const { latitude, longitude } of items) index.add(longitude, latitude);
  index.finish();
  const ordered = Array.from(index.ids, (id) => items[id]!);
  for (const position of ordered.keys()) index.ids[position] = position;
  return { items: ordered, index: toBytes(new Uint8Array(index.data)) };
};
