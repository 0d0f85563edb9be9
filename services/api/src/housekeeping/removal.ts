import { abandonItems, forgetAbandonedItems } from '@hearth/core/db/abandonedItems.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Lease } from '@hearth/core/db/leases.ts';
import {
  deleteRemovedItems,
  listItemsForRemoval,
  listKeptItems,
  markExpiredTrash,
  type RemovedItem,
} from '@hearth/core/db/removal.ts';
import { listKeptTails, listUploadWrites } from '@hearth/core/db/uploadRemoval.ts';
import { deleteUser, listUsersForRemoval } from '@hearth/core/db/users.ts';
import { isEarlierVersion, isTailKey, mediaItemPrefix, parseKey, userPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps.ts';
import { underLease } from './underLease.ts';
import { abandonUploads } from './uploads.ts';

/** Days for which it is remembered that an item was abandoned: far longer than an upload can be held up. */
const abandonedDays = 90;

/** Objects or rows handled in one step, so that memory and transactions stay small. */
const batchSize = 500;

type RemovalDeps = Pick<Deps, 'db' | 'objects' | 'log'>;

/** Marks what has been in the trash for longer than it is kept. */
export const emptyTrash = async ({ db, log }: RemovalDeps, lease: Lease, trashDays: number): Promise<void> => {
  const marked = await underLease(db, lease, (trx) => markExpiredTrash(trx, trashDays));
  if (marked > 0) log.info({ items: marked }, 'removing what was in the trash for long enough');
};

/** Removes one marked item: its objects, then its rows. A crash in between is finished by `removeMarked`. */
export const removeItem = async ({ db, objects }: Pick<Deps, 'db' | 'objects'>, item: RemovedItem): Promise<void> => {
  await removeObjects(objects, mediaItemPrefix(item.userId, item.id));
  await deleteRemovedItems(db, [item.id]);
};

/** Removes every item and user that is marked: objects first, then rows. */
export const removeMarked = async (deps: RemovalDeps, lease: Lease): Promise<void> => {
  for (;;) {
    const items = await listItemsForRemoval(deps.db, batchSize);
    for (const { id, userId } of items) await removeObjects(deps.objects, mediaItemPrefix(userId, id));
    const ids = items.map(({ id }) => id);
    if (ids.length > 0) await underLease(deps.db, lease, (trx) => deleteRemovedItems(trx, ids));
    if (items.length < batchSize) break;
  }
  for (const userId of await listUsersForRemoval(deps.db)) {
    await abandonUploads(deps, userId);
    await removeObjects(deps.objects, userPrefix(userId));
    await underLease(deps.db, lease, (trx) => deleteUser(trx, userId));
  }
};

/**
 * Removes objects written before `before` that no row names: those of uploads and workers that were cut off, and renditions
 * that newer ones have replaced. Keys that are not of our layout are left alone.
 *
 * What is removed is never named later, however long this process sleeps after it has asked: an item without a row is noted as abandoned
 * first, and of an item with a row only earlier versions go. A rendition of the present version that was made and not recorded stays
 * until its item goes: a worker may be about to name it.
 */
export const removeOrphans = async ({ db, objects, log }: RemovalDeps, lease: Lease, before: Date): Promise<number> => {
  // Uploads may go on for longer than `before` lies back; one that begins from now on is younger.
  const unfinished = await objects.removeUnfinished(before, await listUploadWrites(db));
  let removed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    const orphans = [...(await findOrphans(db, lease, batch)), ...(await findLeftTails(db, batch))];
    await objects.remove(orphans);
    removed += orphans.length;
    batch = [];
  };
  for await (const { key, modifiedAt } of objects.list('')) {
    if (modifiedAt >= before) continue;
    batch.push(key);
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await underLease(db, lease, (trx) => forgetAbandonedItems(trx, abandonedDays));
  if (unfinished + removed > 0) log.info({ unfinished, removed }, 'removed objects that no item names');
  return unfinished + removed;
};

const findOrphans = async (db: Database, lease: Lease, keys: readonly string[]): Promise<string[]> => {
  const ours = keys.flatMap((key) => {
    const parsed = parseKey(key);
    return parsed === undefined ? [] : [{ key, ...parsed }];
  });
  const ids = [...new Set(ours.map(({ mediaItemId }) => mediaItemId))];
  const kept = new Map((await listKeptItems(db, ids)).map(({ id, renditionKeys }) => [id, renditionKeys]));
  const unknown = ids.filter((id) => !kept.has(id));
  const abandoned = new Set(
    unknown.length === 0 ? [] : await underLease(db, lease, (trx) => abandonItems(trx, unknown)),
  );
  return ours
    .filter(
      ({ key, mediaItemId }) =>
        abandoned.has(mediaItemId) || kept.get(mediaItemId)?.some((current) => isEarlierVersion(key, current)),
    )
    .map(({ key }) => key);
};

/** An upload that still comes to name one of these, after a request was frozen for a day, is found out when it is gone on with: 410. */
const findLeftTails = async (db: Database, keys: readonly string[]): Promise<string[]> => {
  const tails = keys.filter(isTailKey);
  if (tails.length === 0) return [];
  const kept = new Set(await listKeptTails(db, tails));
  return tails.filter((key) => !kept.has(key));
};

const removeObjects = async (objects: ObjectStore, prefix: string): Promise<void> => {
  let keys: string[] = [];
  for await (const { key } of objects.list(prefix)) {
    keys.push(key);
    if (keys.length < batchSize) continue;
    await objects.remove(keys);
    keys = [];
  }
  await objects.remove(keys);
};
