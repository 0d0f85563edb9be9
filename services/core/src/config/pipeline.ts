import {
  followedComponents,
  type ComponentName,
  type FeatureName,
  type MediaItemType,
} from '@hearth/contract/vocabulary.ts';

/** The name of a pool: of its queue, and in `HEARTH_POOLS`. */
export type PoolName = string;

/** A queue and the workers that pull from it. */
export interface PoolSpec {
  readonly name: PoolName;
  /** The slots of the pool in one worker; `configured`: as many as `HEARTH_WORKER_CONCURRENCY` says. */
  readonly concurrency: number | 'configured';
  /** Whether a worker has a spare slot: one more, which only takes a photo of an owner who has none in hand there. */
  readonly hasSpareSlot?: boolean;
}

/** What a queue job carries: ids only. */
export interface MediaItemJob {
  readonly mediaItemId: string;
  /** The request that caused it, for the logs. */
  readonly requestId?: string;
}

/** How a component is run. */
export interface ComponentSpec {
  readonly name: ComponentName;
  /** The pools of the component's runs, by the type of the item. An item of another type has no run. */
  readonly pools: Partial<Readonly<Record<MediaItemType, PoolSpec>>>;
  /** The components that this one waits for: it is not due while a run of theirs for the same item is due or being worked on. */
  readonly after?: readonly ComponentName[];
  /** Raised when the component's output changes, and recorded with each run. Say here what changed. */
  readonly version: number;
  /** Whether an item is `READY` only when this component is done. */
  readonly required: boolean;
  /** The feature that it works for: with it switched off, the component is `SKIPPED` for the user's items. */
  readonly feature?: FeatureName;
  /**
   * For a component that few items need, as `followedComponents` says: an item has no run of it until another component asks for one. A job
   * that redoes the component named here redoes this one, too.
   */
  readonly follows?: ComponentName | undefined;
}

/** Components, in the order in which one job runs them. */
export type Pipeline = readonly ComponentSpec[];

const media = { name: 'media', concurrency: 'configured', hasSpareSlot: true } as const;

/** One video at a time: its decoder takes a core, and the whole file has to be fetched. */
const video = { name: 'video', concurrency: 1 } as const;

/** Separate from `video`: posters would wait for hours behind a long film. */
const transcode = { name: 'transcode', concurrency: 1 } as const;

/** What models find. One picture at a time is looked at; meanwhile the next one is fetched and decoded. */
const ml = { name: 'ml', concurrency: 2 } as const;

const quick = { PHOTO: media, VIDEO: video };

const shown = { PHOTO: ml, VIDEO: ml };

/** Components in the order in which one job runs them. A name of the contract without a line here does not compile. */
const specs: Readonly<Record<ComponentName, Omit<ComponentSpec, 'name' | 'follows'>>> = {
  // 2: videos, categories, sizes of RAW files and HEIC, clocks that were never set.
  // 3: content identifiers, by which Live Photos are put together, and the clips of motion photos.
  METADATA: { pools: quick, version: 3, required: true },
  // 2: the previews of animations move.
  // Videos needed no new version: their runs were blocked, and go on with the first worker that can decode them.
  PREVIEW_THUMBNAIL: { pools: quick, version: 2, required: true },
  // PLACES looks up the position that METADATA has found. It stands after the components that make an item READY, since none of them needs it.
  // 2: German names, by which search finds places.
  PLACES: { pools: quick, after: ['METADATA'], version: 2, required: false, feature: 'places' },
  // For a photo, TRANSCODE works on the clip in it.
  TRANSCODE: { pools: { PHOTO: transcode, VIDEO: transcode }, version: 1, required: false },
  // The components of `ml` look at the preview of a photo, or at the poster of a video.
  // 2: German words of things, by which search finds them.
  CLASSIFICATION: { pools: shown, after: ['PREVIEW_THUMBNAIL'], version: 2, required: false, feature: 'things' },
  FACES: { pools: shown, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false, feature: 'people' },
  OCR: { pools: shown, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false },
  // A change of its model needs no new version, see [Note: Change of model].
  SEARCH: { pools: shown, after: ['PREVIEW_THUMBNAIL'], version: 1, required: false },
};

const followed: Partial<Record<ComponentName, ComponentName>> = followedComponents;

/** Every component. */
export const components: Pipeline = (Object.keys(specs) as ComponentName[]).map((name) =>
  Object.assign({ name, follows: followed[name] }, specs[name]),
);

/** Every pool of a pipeline once, in the order of its components. */
export const listPools = (pipeline: Pipeline = components): readonly PoolSpec[] => [
  ...new Map(pipeline.flatMap(({ pools }) => Object.values(pools).map((pool) => [pool.name, pool]))).values(),
];

export const poolNames: readonly PoolName[] = listPools().map(({ name }) => name);

/** The components that have runs in a pool. */
export const componentsIn = (pool: PoolName, pipeline: Pipeline = components): Pipeline =>
  pipeline.filter(({ pools }) => Object.values(pools).some(({ name }) => name === pool));

/** The pool of a component's run of an item of this type; undefined where there is none, or a newer version of Hearth has made the run. */
export const findPool = (
  component: ComponentName,
  type: MediaItemType,
  pipeline: Pipeline = components,
): PoolName | undefined => pipeline.find(({ name }) => name === component)?.pools[type]?.name;

/** The pools in which an item of this type has something to do from the beginning. */
export const firstPools = (type: MediaItemType, pipeline: Pipeline = components): ReadonlySet<PoolName> =>
  new Set(
    pipeline
      .filter(({ after, follows }) => after === undefined && follows === undefined)
      .flatMap(({ pools }) => pools[type]?.name ?? []),
  );

/** The version of a component's present output. */
export const versionOf = (name: ComponentName): number => specs[name].version;

/**
 * The version in the key of a motion photo's clip. It is one ahead of the version of TRANSCODE: clips without metadata (2) needed a new key,
 * and transcoded videos, which never had metadata, needed none.
 */
export const clipVersion = versionOf('TRANSCODE') + 1;
