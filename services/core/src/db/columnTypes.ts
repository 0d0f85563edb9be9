import type { ColumnType, JSONColumnType } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';

/** A wall-clock time without a zone, such as `2022-04-03T12:56:11.123`. The driver keeps it as text. */
export type LocalTime = string;

/** The list that shows an item. `paired` is the video of a Live Photo, which is shown in its photo. */
export type Visibility = 'visible' | 'hidden' | 'trash' | 'paired' | 'removed';

/** The visibility of the item, or `missed` if the last run did not find the face. */
export type FaceVisibility = Visibility | 'missed';

/** The user's feature switches. A missing feature is on. */
export type Features = Partial<Record<FeatureName, boolean>>;

/** Read as an object, written as text. */
export type JsonFeatures = JSONColumnType<Features>;

/** The owner of an item or collection. It never changes, see [Note: Account removal]. */
export type OwnerId = ColumnType<string, string, never>;
