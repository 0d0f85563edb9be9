/** The processing steps of the specification, and our own `TRANSCODE`, in display order. */
export const componentNames = [
  'METADATA',
  'PREVIEW_THUMBNAIL',
  'TRANSCODE',
  'PLACES',
  'CLASSIFICATION',
  'FACES',
  'OCR',
  'SEARCH',
] as const;
export type ComponentName = (typeof componentNames)[number];

/**
 * Components that run for an item only when another component requests it, with the component they follow. A job cannot
 * name them: it reprocesses them with that component.
 */
export const followedComponents = { TRANSCODE: 'PREVIEW_THUMBNAIL' } as const satisfies Partial<
  Record<ComponentName, ComponentName>
>;

/** Components that a job can reprocess: all that follow no other. */
export const jobComponentNames = componentNames.filter(
  (name): name is Exclude<ComponentName, keyof typeof followedComponents> => !Object.hasOwn(followedComponents, name),
);

/** States of a component’s run. `BLOCKED`: this installation currently lacks what is needed. */
export const runStates = ['PENDING', 'RUNNING', 'DONE', 'FAILED', 'SKIPPED', 'BLOCKED'] as const;
export type RunState = (typeof runStates)[number];

/** Results of the last check of a stored original. */
export const originalStates = ['OK', 'DAMAGED', 'MISSING'] as const;
export type OriginalState = (typeof originalStates)[number];

/**
 * Reasons why the scrub of originals stopped: the store fails, has no marker or the marker of another library, or
 * lacks most originals.
 */
export const scrubStops = ['STORAGE_FAILED', 'WRONG_STORAGE', 'ORIGINALS_MISSING'] as const;
export type ScrubStop = (typeof scrubStops)[number];

export const mediaItemStatuses = ['UNSPECIFIED', 'PROCESSING', 'READY', 'FAILED'] as const;
export type MediaItemStatus = (typeof mediaItemStatuses)[number];

export const mediaItemTypes = ['UNKNOWN', 'PHOTO', 'VIDEO'] as const;
export type MediaItemType = (typeof mediaItemTypes)[number];

export const mediaItemCategories = [
  'DEFAULT',
  'SCREENSHOT',
  'PANORAMA',
  'SLOW',
  'MOTION',
  'LIVE',
  'TIMELAPSE',
] as const;
export type MediaItemCategory = (typeof mediaItemCategories)[number];

export const jobStatuses = ['SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'STOPPED'] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** Properties of an item that can match a search. */
export const searchReasonKinds = [
  'person',
  'place',
  'thing',
  'album',
  'filename',
  'description',
  'text',
  'camera',
  'date',
  'type',
  'category',
  'favourite',
  'meaning',
] as const;

/** Kinds of search suggestions. */
export const searchSuggestionKinds = ['person', 'place', 'thing', 'album', 'date', 'camera'] as const;

/** Modes of a search. */
export const searchModes = ['text', 'meaning'] as const;

/** Features that can be disabled per user. */
export const featureNames = [
  'favourites',
  'hidden',
  'trash',
  'albums',
  'explore',
  'places',
  'things',
  'people',
  'sharing',
  'jobs',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** Versions of a media item for visitors of a shared album. */
export const sharedRenditions = ['preview', 'thumbnail', 'poster', 'motion'] as const;
export type SharedRendition = (typeof sharedRenditions)[number];
