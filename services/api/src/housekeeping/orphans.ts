import { rejectForeignStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { deleteAbandonedItems } from '../ingest/abandonedItems.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { type Lease, underLease } from './leases/leases.ts';
import {
  databaseTime,
  deleteUnseenOrphans,
  listLostItems,
  recordOrphans,
  orphanDays,
  summariseOrphans,
} from '../features/orphans/queries.ts';
import { listExistingItems } from '../features/trash/removal.ts';
import { listReferencedTails, listUploadWrites } from '../features/uploads/uploadRemoval.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import {
  isEarlierVersion,
  isOriginalKey,
  isRenditionKey,
  isTailKey,
  parseKey,
  type ParsedKey,
} from '@hearth/core/objects/keys.ts';
import type { ObjectInfo } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps/deps.ts';

/** Days that an abandoned item is remembered. Far longer than any upload can be delayed. */
const abandonedDays = 90;

/** Objects per batch. Keeps memory and transactions small. */
const batchSize = 500;

type SweepDeps = Pick<Deps, 'db' | 'objects' | 'log'>;

/**
 * Deletes objects written before `before` that no row references: renditions of removed items, outdated renditions, and
 * objects of interrupted uploads. Originals are only recorded and deleted a month later, see [Note: Orphans]. Ignores
 * keys outside the bucket layout.
 *
 * No row can reference a deleted object later, however long this process freezes between query and delete:
 * - The item of an original is first recorded as abandoned.
 * - If the item has a row, only renditions of earlier versions are deleted. A worker may be about to record one of the
 *   current version.
 * - Without row and upload, no worker records renditions, because ids are never reused.
 */
export const removeOrphans = async (
  deps: SweepDeps,
  lease: Lease,
  before: Date,
  signal?: AbortSignal,
): Promise<number> => {
  const { db, objects, log } = deps;
  // In another library's store every original would look like an orphan.
  await rejectForeignStore(objects, db);
  const startedAt = await databaseTime(db);
  // Excludes active uploads, which may run longer than the age limit. Uploads that start from now on are younger than
  // `before`.
  const unfinished = await objects.removeUnfinished(before, await listUploadWrites(db)).catch((error: unknown) => {
    log.warn({ err: error }, 'could not remove all unfinished uploads; retrying at the next sweep');
    return 0;
  });
  let removed = 0;
  let batch: ObjectInfo[] = [];
  const flush = async (): Promise<void> => {
    const orphans = await findRemovable(db, lease, batch);
    await objects.remove(orphans);
    removed += orphans.length;
    batch = [];
  };
  for await (const object of objects.list('')) {
    if (signal?.aborted) return unfinished + removed;
    if (object.modifiedAt >= before) continue;
    batch.push(object);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await underLease(db, lease, async (trx) => {
    await deleteUnseenOrphans(trx, startedAt);
    await deleteAbandonedItems(trx, abandonedDays);
  });
  if (unfinished + removed > 0) log.info({ unfinished, removed }, 'removed objects without an item');
  const waiting = await countOrphans(deps);
  if (waiting.count > 0) {
    log.warn(
      { originals: waiting.count, bytes: waiting.bytes, oldestSeenAt: waiting.oldestSeenAt, keptDays: orphanDays },
      'originals without an item will be removed; npm run orphans lists or restores them',
    );
  }
  return unfinished + removed;
};

/** Counts orphaned originals and sets the metrics. */
export const countOrphans = async ({ db }: Pick<Deps, 'db'>) => {
  const waiting = await summariseOrphans(db);
  metrics.orphans.set(waiting.count);
  metrics.orphanBytes.set(waiting.bytes);
  return waiting;
};

const findRemovable = async (db: Database, lease: Lease, batch: readonly ObjectInfo[]): Promise<string[]> => {
  const ours = batch.flatMap(({ key, sizeBytes }) => {
    const parsed = parseKey(key);
    return parsed === undefined ? [] : [{ key, sizeBytes, ...parsed }];
  });
  const tails = await findUnreferencedTails(
    db,
    batch.map(({ key }) => key),
  );
  if (ours.length === 0) return tails;
  const ids = [...new Set(ours.map(({ mediaItemId }) => mediaItemId))];
  const kept = new Map((await listExistingItems(db, ids)).map(({ id, renditionKeys }) => [id, renditionKeys]));
  const unknown = ids.filter((id) => !kept.has(id));
  const lost = unknown.length === 0 ? new Set<string>() : await listLostItems(db, unknown);
  const originals = ours.filter(({ key, mediaItemId }) => isOriginalKey(key) && lost.has(mediaItemId));
  const released = new Set(
    originals.length === 0 ? [] : await underLease(db, lease, (trx) => recordOrphans(trx, originals)),
  );
  const isRemovable = ({ key, mediaItemId }: ParsedKey & { readonly key: string }): boolean => {
    if (isOriginalKey(key)) return released.has(mediaItemId);
    if (lost.has(mediaItemId)) return isRenditionKey(key);
    return kept.get(mediaItemId)?.some((current) => isEarlierVersion(key, current)) === true;
  };
  return [...tails, ...ours.filter(isRemovable).map(({ key }) => key)];
};

/**
 * Returns tails of resumable uploads that no row references. A request that was frozen for a day may still reference
 * one that is deleted: the next request of its upload then gets 410.
 */
const findUnreferencedTails = async (db: Database, keys: readonly string[]): Promise<string[]> => {
  const tails = keys.filter(isTailKey);
  if (tails.length === 0) return [];
  const kept = new Set(await listReferencedTails(db, tails));
  return tails.filter((key) => !kept.has(key));
};
