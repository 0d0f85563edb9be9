import type { ComponentName, FeatureName } from '@hearth/contract/vocabulary.ts';

/** A queue and the workers that pull from it. */
export const poolNames = ['media', 'video'] as const;
export type PoolName = (typeof poolNames)[number];

/** What a queue job carries: ids only. */
export interface MediaItemJob {
  readonly mediaItemId: string;
  /** The request that caused it, for the logs. */
  readonly requestId?: string;
}

/** How a component is run. */
export interface ComponentSpec {
  readonly name: ComponentName;
  readonly pool: PoolName;
  /** Raised when the component's output changes, and recorded with each run. Say here what changed. */
  readonly version: number;
  /** Whether an item is `READY` only when this component is done. */
  readonly required: boolean;
  /** Of a component that few items need: an item has no run of it until another one asks for it. A job redoes it with the one named here. */
  readonly follows?: ComponentName;
}

/** Every component that is built, in the order in which one job runs them. */
export const components = [
  // 2: videos, categories, sizes of RAW files and HEIC, clocks that were never set.
  // 3: content identifiers, by which Live Photos are put together, and the clips of motion photos.
  { name: 'METADATA', pool: 'media', version: 3, required: true },
  // 2: the previews of animations move.
  // Videos needed no new version: their runs were blocked, and go on with the first worker that can decode them.
  { name: 'PREVIEW_THUMBNAIL', pool: 'media', version: 2, required: true },
  // Behind METADATA, whose position it looks up, and behind what makes an item READY, which does not wait for it.
  { name: 'PLACES', pool: 'media', version: 1, required: false },
  { name: 'TRANSCODE', pool: 'video', version: 1, required: false, follows: 'PREVIEW_THUMBNAIL' },
] as const satisfies readonly ComponentSpec[];

/** The name of a component that is built. */
export type BuiltComponent = (typeof components)[number]['name'];

/** The pools in which every item has something to do from the beginning. */
export const firstPools: readonly PoolName[] = poolNames.filter((pool) =>
  components.some((component: ComponentSpec) => component.pool === pool && component.follows === undefined),
);

/** The version of a component's present output. */
export const versionOf = (name: BuiltComponent): number =>
  components.find((component) => component.name === name)?.version ?? 0;

/** The feature that a component works for: with it switched off, the component is `SKIPPED` for the user's items. */
export const featureOf: Readonly<Record<ComponentName, FeatureName | undefined>> = {
  METADATA: undefined,
  PREVIEW_THUMBNAIL: undefined,
  TRANSCODE: undefined,
  PLACES: 'places',
  CLASSIFICATION: 'things',
  FACES: 'people',
  OCR: undefined,
  SEARCH: undefined,
};
