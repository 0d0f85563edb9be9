import { sql } from 'kysely';
import { maxIdsPerRequest } from '@hearth/contract/limits.ts';
import { AppError, NotFoundError } from '@hearth/core/log/errors.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockLivePhotos } from '@hearth/core/items/livePhotos.ts';
import { setTrashed } from '../trash/queries.ts';
import { checkGroup } from './queries.ts';
import { giveToKept, takeFromKept } from './giveToKept.ts';

/** Keeps user ids apart from whatever else takes such locks. */
const lockSpace = 7_301_951;

/** One review of a user at a time: two that keep different photos would move all to the trash. Taken before any other lock. */
const lockReviews = async (trx: Database, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockSpace}, hashtext(${userId}))`.execute(trx);
};

/** How many photos one call has moved, and whether these were all. */
export interface ReviewStep {
  readonly moved: number;
  readonly isComplete: boolean;
}

/**
 * Moves the visible photos of a group to the trash but for those that are kept, the worst first and at most 1,000 a call; the first one that is kept gets
 * their albums, is a favourite where one of them is, and has a description where one of them has. With the last of them the group is reviewed.
 * @param seen the revision that the group had when it was looked at, if it is told
 * @throws NotFoundError where there is no such group, or one that is to be kept is no visible photo of it
 * @throws AppError CONFLICT where another photo has joined the group since it was looked at; nothing is moved then
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
    // Before they were locked, others may have been at them: were the kept one moved to the trash meanwhile, none would be left.
    const visible = await findVisible(trx, groupId, [...ids, ...keep]);
    if (keep.some((id) => !visible.has(id))) throw new NotFoundError('media item');
    // Read after the photos were chosen, of which none has come later than this then.
    const revision = await findRevision(trx, groupId);
    if (seen !== undefined && seen !== revision) throw hasChanged();
    const moving = ids.filter((id) => visible.has(id));
    await sql`select set_config('hearth.is_reviewing_duplicates', 'on', true)`.execute(trx);
    await setTrashed(trx, userId, moving, true);
    await sql`select set_config('hearth.is_reviewing_duplicates', 'off', true)`.execute(trx);
    await giveToKept(trx, groupId, keep[0]!, moving);
    if (isComplete) await setReviewed(trx, groupId, true, revision);
    return { moved: moving.length, isComplete };
  });

/**
 * Says that the photos of a group are all to be kept.
 * @param seen the revision that the group had when it was looked at, if it is told
 * @throws NotFoundError where there is no such group
 * @throws AppError CONFLICT where another photo has joined the group since it was looked at
 */
export const dismissDuplicates = (db: Database, userId: string, groupId: string, seen?: string): Promise<void> =>
  transaction(db, async (trx) => {
    await lockReviews(trx, userId);
    await checkGroup(trx, userId, groupId);
    if (!(await setReviewed(trx, groupId, true, seen))) throw hasChanged();
  });

/**
 * Takes back the review of a group: what it moved to the trash and is still there is restored, at most 1,000 a call, and the kept photo has no more what
 * it was given of them.
 * @throws NotFoundError where there is no such group
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
    await takeFromKept(trx, groupId);
    await setTrashed(trx, userId, ids, false);
    await setReviewed(trx, groupId, false);
    return { moved: ids.length, isComplete: rows.length <= maxIdsPerRequest };
  });

const hasChanged = (): AppError =>
  new AppError('CONFLICT', 'Another photo has joined the group since; look at it again');

/** Which of these are visible photos of a group. */
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

/** Where a revision is told, of no other one: who has joined meanwhile is yet to be looked at. Answers whether it was so. */
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
