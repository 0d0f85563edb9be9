/** The processing steps of the specification, and `TRANSCODE`, our own, in the order in which a person would tell them. */
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
 * Components of which an item has a run only where another component asks for one, each with the component that it follows. A job cannot
 * name them: it redoes them with that component.
 */
export const followedComponents = { TRANSCODE: 'PREVIEW_THUMBNAIL' } as const satisfies Partial<
  Record<ComponentName, ComponentName>
>;

/** The components that a job can redo: all that follow no other. */
export const jobComponentNames = componentNames.filter(
  (name): name is Exclude<ComponentName, keyof typeof followedComponents> => !Object.hasOwn(followedComponents, name),
);

/** What a component's run of one item has come to. `BLOCKED`: this installation cannot do it now. */
export const runStates = ['PENDING', 'RUNNING', 'DONE', 'FAILED', 'SKIPPED', 'BLOCKED'] as const;
export type RunState = (typeof runStates)[number];

/** The last check of a stored original against its record. */
export const originalStates = ['OK', 'DAMAGED', 'MISSING'] as const;
export type OriginalState = (typeof originalStates)[number];

/**
 * Why the scrub of originals is stopped: the store fails, lacks the marker of this library or has another one's, or lacks most originals at
 * once.
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

/** What of an item can be the reason for which it was found. */
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

/** What a search box suggests. */
export const searchSuggestionKinds = ['person', 'place', 'thing', 'album', 'date', 'camera'] as const;

/** By what a search can look. */
export const searchModes = ['text', 'meaning'] as const;

/** What can be switched off per user. */
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

/** The versions of a media item that visitors of a shared album may get. */
export const sharedRenditions = ['preview', 'thumbnail', 'poster', 'motion'] as const;
export type SharedRendition = (typeof sharedRenditions)[number];
