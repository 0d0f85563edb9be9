import type { ColumnType, JSONColumnType } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';

/** A wall-clock time without a zone, `2022-04-03T12:56:11.123`; the driver leaves it as text. */
export type LocalTime = string;

/** In which list an item is shown; `paired` is the video half of a Live Photo, which is shown in its photo. */
export type Visibility = 'visible' | 'hidden' | 'trash' | 'paired' | 'removed';

/** That of the item, or that the last run has not found the face. */
export type FaceVisibility = Visibility | 'missed';

/** What of a user's library is switched on; a feature that is not named is on. */
export type Features = Partial<Record<FeatureName, boolean>>;

/** A column of them: read as an object, written as text. */
export type JsonFeatures = JSONColumnType<Features>;

/** Whose item or collection it is, which never changes, see [Note: Account removal]. */
export type OwnerId = ColumnType<string, string, never>;
