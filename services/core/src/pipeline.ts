import type { ComponentName, FeatureName } from '@hearth/contract/vocabulary.ts';

/** A queue and the workers that pull from it. */
export const poolNames = ['media'] as const;
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
}

/** Every component that is built, in the order in which one job runs them. */
export const components = [
  // 2: videos, categories, sizes of RAW files and HEIC, clocks that were never set.
  { name: 'METADATA', pool: 'media', version: 2, required: true },
  // 2: the previews of animations move.
  { name: 'PREVIEW_THUMBNAIL', pool: 'media', version: 2, required: true },
  // Behind METADATA, whose position it looks up, and behind what makes an item READY, which does not wait for it.
  { name: 'PLACES', pool: 'media', version: 1, required: false },
] as const satisfies readonly ComponentSpec[];

/** The name of a component that is built. */
export type BuiltComponent = (typeof components)[number]['name'];

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
