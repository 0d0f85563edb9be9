import {
  followedComponents,
  type ComponentName,
  type FeatureName,
  type MediaItemType,
} from '@hearth/contract/vocabulary.ts';

/** The name of a pool and of its queue, also used in `HEARTH_POOLS`. */
export type PoolName = string;

/** A queue and the workers that consume it. */
export interface PoolSpec {
  readonly name: PoolName;
  /** Slots of the pool per worker. `configured` means `HEARTH_WORKER_CONCURRENCY`. */
  readonly concurrency: number | 'configured';
  /** Adds one slot per worker, only for photos of owners who have no photo in a slot of that worker. */
  readonly hasSpareSlot?: boolean;
}

/** The payload of a queue job. */
export interface MediaItemJob {
  readonly mediaItemId: string;
  /** The id of the request that caused the job, for logs. */
  readonly requestId?: string;
}

/** The definition of a component. */
export interface ComponentSpec {
  readonly name: ComponentName;
  /** Pools by item type. Items of other types have no run. */
  readonly pools: Partial<Readonly<Record<MediaItemType, PoolSpec>>>;
  /** Components to wait for: a run is not due while one of these components is due or running for the same item. */
  readonly after?: readonly ComponentName[];
  /** Recorded with each run. Raise it when the component's output changes, and add a comment about the change. */
  readonly version: number;
  /** An item becomes `READY` only when this component is done. */
  readonly required: boolean;
  /** If this feature is switched off, the component is `SKIPPED` for the user's items. */
  readonly feature?: FeatureName;
  /**
   * Set for a component that few items need (`followedComponents`): items get a run only when another component
   * requests it. A job that reprocesses the component named here also reprocesses this one.
   */
  readonly follows?: ComponentName | undefined;
}

/** Components, in the order one job runs them. */
export type Pipeline = readonly ComponentSpec[];

const media = { name: 'media', concurrency: 'configured', hasSpareSlot: true } as const;

/** One video at a time: its decoder uses a whole core, and the whole file has to be fetched. */
const video = { name: 'video', concurrency: 1 } as const;

/** Separate from `video`: otherwise posters would wait for hours behind a long film. */
const transcode = { name: 'transcode', concurrency: 1 } as const;

/** ML models. They process one picture at a time; the second slot fetches and decodes the next one. */
const ml = { name: 'ml', concurrency: 2 } as const;

const mediaPools = { PHOTO: media, VIDEO: video };

const mlPools = { PHOTO: ml, VIDEO: ml };

/** Components in the order one job runs them. A missing component is a type error. */
const specs: Readonly<Record<ComponentName, Omit<ComponentSpec, 'name' | 'follows'>>> = {
  // 2: videos, categories, sizes of RAW files and HEIC, clocks that were never set.
  // 3: content identifiers, which pair Live Photos, and the clips of motion photos.
  METADATA: { pools: mediaPools, version: 3, required: true },
  // 2: animated previews.
  // Videos needed no new version: their runs were blocked until a worker could decode them.
  PREVIEW_THUMBNAIL: { pools: mediaPools, version: 2, required: true },
  // Uses the position found by METADATA. It comes after the components that make an item READY, because none of them
  // needs it.
  // 2: German names, for search.
  PLACES: { pools: mediaPools, after: ['METADATA'], version: 2, required: false, feature: 'places' },
  // For a photo, TRANSCODE processes the clip in it.
  TRANSCODE: { pools: { PHOTO: transcode, VIDEO: transcode }, version: 1, required: false },
  // The components of `ml` use the preview of a photo, or the poster of a video.
  // 2: German words for things, for search.
  CLASSIFICATION: { pools: mlPools, after: ['PREVIEW_THUMBNAIL'], version: 2, required: false, feature: 'things' },
  FACES: { pools: mlPools, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false, feature: 'people' },
  OCR: { pools: mlPools, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false },
  // A change of its model needs no new version, see [Note: Change of model].
  SEARCH: { pools: mlPools, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false },
};

const followed: Partial<Record<ComponentName, ComponentName>> = followedComponents;

export const components: Pipeline = (Object.keys(specs) as ComponentName[]).map((name) =>
  Object.assign({ name, follows: followed[name] }, specs[name]),
);

/** Returns all pools once, in the order of the components. */
export const listPools = (pipeline: Pipeline = components): readonly PoolSpec[] => [
  ...new Map(pipeline.flatMap(({ pools }) => Object.values(pools).map((pool) => [pool.name, pool]))).values(),
];

export const poolNames: readonly PoolName[] = listPools().map(({ name }) => name);

/** Returns the components that have runs in the pool. */
export const componentsIn = (pool: PoolName, pipeline: Pipeline = components): Pipeline =>
  pipeline.filter(({ pools }) => Object.values(pools).some(({ name }) => name === pool));

/**
 * Returns the pool of a component's runs. Undefined if items of this type have no run, or for a component of a newer
 * version of Hearth.
 */
export const findPool = (
  component: ComponentName,
  type: MediaItemType,
  pipeline: Pipeline = components,
): PoolName | undefined => pipeline.find(({ name }) => name === component)?.pools[type]?.name;

/** Returns the pools with runs that are due as soon as an item of this type exists. */
export const listInitialPools = (type: MediaItemType, pipeline: Pipeline = components): ReadonlySet<PoolName> =>
  new Set(
    pipeline
      .filter(({ after, follows }) => after === undefined && follows === undefined)
      .flatMap(({ pools }) => pools[type]?.name ?? []),
  );

export const getComponentVersion = (name: ComponentName): number => specs[name].version;

/**
 * The version in the key of a motion photo's clip. It is one ahead of TRANSCODE's version: clips got a new key when
 * their metadata was removed (2). Transcoded videos never had metadata and kept their key.
 */
export const clipVersion = getComponentVersion('TRANSCODE') + 1;
