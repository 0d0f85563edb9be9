import type { Claim } from './componentRuns.ts';
import type { Database } from '../db/database.ts';
import { pairLivePhotos, splitLivePhoto } from '../items/livePhotos.ts';
import type { MediaItemChanges } from '../db/schema.ts';

/**
 * Returns the content identifiers of Live Photos that these changes may create, split or change: the item's earlier and
 * new one. Changed file keys of a video count as well, because its photo plays these files. Undefined if no Live Photo
 * is affected.
 */
export const findAffectedPairs = (
  { type, contentIdentifier }: Claim,
  changes: MediaItemChanges = {},
): string[] | undefined => {
  const found = [contentIdentifier, changes.content_identifier ?? null].filter((each) => each !== null);
  if (type === 'VIDEO') return videoColumns.some((column) => column in changes) ? found : undefined;
  return 'content_identifier' in changes && found.length > 0 ? found : undefined;
};

const videoColumns = [
  'content_identifier',
  'preview_key',
  'shared_video_key',
] as const satisfies (keyof MediaItemChanges)[];

/** Pairs the item again after the outcome of a run. */
export const pairItem = async (
  trx: Database,
  { mediaItemId, userId }: Claim,
  contentIdentifiers: readonly string[],
): Promise<void> => {
  const row = await trx
    .selectFrom('media_items')
    .select('content_identifier')
    .where('id', '=', mediaItemId)
    .executeTakeFirst();
  const present = row?.content_identifier ?? null;
  if (present === null && contentIdentifiers.length > 0) await splitLivePhoto(trx, userId, mediaItemId);
  await pairLivePhotos(trx, userId, [...contentIdentifiers, present]);
};
