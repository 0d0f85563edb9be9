import { sql } from 'kysely';
import { maxIdsPerRequest } from '@hearth/contract/limits.ts';
import { AppError, NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockLivePhotos } from '@hearth/core/items/livePhotos.ts';
import { checkGroup } from './queries.ts';
import { mergeIntoKept, revertMerge } from './mergeIntoKept.ts';
import { setTrashed } from '../../lists/trashed.ts';

/** Separates these advisory locks from others. */
const lockSpace = 7_301_951;

/** Serializes the reviews of a user: two that keep different photos would trash all. Must be the first lock taken. */
const lockReviews = async (trx: Database, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockSpace}, hashtext(${userId}))`.execute(trx);
};

/** Result of one call: the number of moved photos, and whether none is left to move. */
export interface ReviewStep {
  readonly moved: number;
  readonly isComplete: boolean;
}

/**
 * Trashes the visible photos of a group except those in `keep`, worst first, up to 1,000 per call. The first kept photo
 * gets their albums, favourite and description. After the last photo the group counts as reviewed.
 * @param seen revision of the group that the client saw, if known
 * @throws NotFoundError if the group does not exist, or a photo in `keep` is not one of its visible photos
 * @throws AppError CONFLICT if another photo has joined since `seen`; nothing is moved then
 */
export const resolveDuplicates = (
  db: Database,
  userId: string,
  groupId: string,
  keep: readonly string[],
  seen?: string,
): Promise<ReviewStep> =>
  transaction(db, async (trx) => {
    await lockReviews(trx, userId);
    await checkGroup(trx, userId, groupId);
    const { rows: kept } = await sql`
      select from picture_hashes
      where group_id = ${groupId} and visibility = 'visible' and media_item_id = any(${keep}::uuid[])`.execute(trx);
    if (kept.length < keep.length) throw new NotFoundError('media item');
    const { rows } = await sql<{ id: string }>`
      select media_item_id as id from picture_hashes
      where group_id = ${groupId} and visibility = 'visible' and media_item_id <> all(${keep}::uuid[])
      order by score, media_item_id desc limit ${maxIdsPerRequest + 1}`.execute(trx);
    const ids = rows.slice(0, maxIdsPerRequest).map(({ id }) => id);
    const isComplete = rows.length <= maxIdsPerRequest;
    await lockLivePhotos(trx, userId, { ids: [...ids, ...keep] });
    // Checked again under the lock: if the kept photo was trashed meanwhile, none would remain.
    const visible = await findVisible(trx, groupId, [...ids, ...keep]);
    if (keep.some((id) => !visible.has(id))) throw new NotFoundError('media item');
    // Read after the photos were selected, so no selected photo can have joined later.
    const revision = await findRevision(trx, groupId);
    if (seen !== undefined && seen !== revision) throw createConflictError();
    const moving = ids.filter((id) => visible.has(id));
    await sql`select set_config('hearth.is_reviewing_duplicates', 'on', true)`.execute(trx);
    await setTrashed(trx, userId, moving, true);
    await sql`select set_config('hearth.is_reviewing_duplicates', 'off', true)`.execute(trx);
    await mergeIntoKept(trx, groupId, keep[0]!, moving);
    if (isComplete) await setReviewed(trx, groupId, true, revision);
    return { moved: moving.length, isComplete };
  });

/**
 * Marks a group as reviewed and keeps all photos.
 * @param seen revision of the group that the client saw, if known
 * @throws NotFoundError if the group does not exist
 * @throws AppError CONFLICT if another photo has joined since `seen`
 */
export const dismissDuplicates = (db: Database, userId: string, groupId: string, seen?: string): Promise<void> =>
  transaction(db, async (trx) => {
    await lockReviews(trx, userId);
    await checkGroup(trx, userId, groupId);
    if (!(await setReviewed(trx, groupId, true, seen))) throw createConflictError();
  });

/**
 * Reverts the review of a group: restores the photos it trashed, up to 1,000 per call, and removes what the kept photo
 * got from them.
 * @throws NotFoundError if the group does not exist
 */
export const restoreDuplicates = (db: Database, userId: string, groupId: string): Promise<ReviewStep> =>
  transaction(db, async (trx) => {
    await lockReviews(trx, userId);
    await checkGroup(trx, userId, groupId);
    const { rows } = await sql<{ id: string }>`
      select media_item_id as id from picture_hashes where group_id = ${groupId} and is_set_aside
      order by media_item_id limit ${maxIdsPerRequest + 1}`.execute(trx);
    const ids = rows.slice(0, maxIdsPerRequest).map(({ id }) => id);
    const kept = await findKept(trx, groupId);
    await lockLivePhotos(trx, userId, { ids: [...ids, ...kept] });
    await revertMerge(trx, groupId);
    await setTrashed(trx, userId, ids, false);
    await setReviewed(trx, groupId, false);
    return { moved: ids.length, isComplete: rows.length <= maxIdsPerRequest };
  });

const createConflictError = (): AppError => new AppError('CONFLICT', 'Another photo joined the group; review it again');

const findVisible = async (trx: Database, groupId: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string }>`
    select media_item_id as id from picture_hashes
    where group_id = ${groupId} and visibility = 'visible' and media_item_id = any(${ids}::uuid[])`.execute(trx);
  return new Set(rows.map(({ id }) => id));
};

const findKept = async (trx: Database, groupId: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string | null }>`
    select kept_id as id from duplicate_groups where id = ${groupId}`.execute(trx);
  return rows.flatMap(({ id }) => id ?? []);
};

const findRevision = async (trx: Database, groupId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ revision: string }>`
    select revision::text from duplicate_groups where id = ${groupId}`.execute(trx);
  return rows[0]?.revision;
};

/**
 * Sets or clears the review. With a revision, only if it is current, so that photos that joined meanwhile are still
 * reviewed. Returns true on success.
 */
const setReviewed = async (
  trx: Database,
  groupId: string,
  isReviewed: boolean,
  revision?: string,
): Promise<boolean> => {
  const { numAffectedRows = 0n } = await sql`
    update duplicate_groups set reviewed_at = ${isReviewed ? sql`now()` : null}
    where id = ${groupId} and revision::text = coalesce(${revision ?? null}, revision::text)`.execute(trx);
  return numAffectedRows > 0n;
};
