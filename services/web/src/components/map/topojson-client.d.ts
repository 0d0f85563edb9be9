/* Types of the two functions that the app uses. The package has none. */
declare module 'topojson-client' {
  import type { FeatureCollection, MultiLineString } from 'geojson';

  export interface TopologyObject {
    readonly type: string;
  }
  export interface Topology<Name extends string> {
    readonly type: 'Topology';
    readonly objects: Readonly<Record<Name, TopologyObject>>;
  }
  export function feature(topology: Topology<string>, object: TopologyObject): FeatureCollection;
  export function mesh(
    topology: Topology<string>,
    object: TopologyObject,
    isKept: (a: object, b: object) => boolean,
  ): MultiLineString;
}
