import { transaction, type Database } from '@hearth/core/db/database.ts';
import { holdLease, type Lease } from '@hearth/core/db/leases.ts';
import {
  deleteRemovedItems,
  listItemsForRemoval,
  listKeptItems,
  markExpiredTrash,
  type RemovedItem,
} from '@hearth/core/db/removal.ts';
import { deleteUser, listUsersForRemoval } from '@hearth/core/db/users.ts';
import { mediaItemPrefix, parseKey, userPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps.ts';

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
    await removeObjects(deps.objects, userPrefix(userId));
    await underLease(deps.db, lease, (trx) => deleteUser(trx, userId));
  }
};

/**
 * Removes objects written before `before` that no row names: those of uploads and workers that were cut off, and renditions
 * that newer ones have replaced. Keys that are not of our layout are left alone.
 */
export const removeOrphans = async ({ db, objects, log }: RemovalDeps, before: Date): Promise<number> => {
  const unfinished = await objects.removeUnfinished(before);
  let removed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    const orphans = await findOrphans(db, batch);
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
  if (unfinished + removed > 0) log.info({ unfinished, removed }, 'removed objects that no item names');
  return unfinished + removed;
};

const findOrphans = async (db: Database, keys: readonly string[]): Promise<string[]> => {
  const ours = keys.flatMap((key) => {
    const parsed = parseKey(key);
    return parsed === undefined ? [] : [{ key, ...parsed }];
  });
  if (ours.length === 0) return [];
  const kept = await listKeptItems(db, [...new Set(ours.map(({ mediaItemId }) => mediaItemId))]);
  const renditionsOf = new Map(kept.map(({ id, renditionKeys }) => [id, renditionKeys]));
  return ours
    .filter(({ key, mediaItemId, name }) => {
      const renditions = renditionsOf.get(mediaItemId);
      return renditions === undefined || (name !== 'original' && !renditions.includes(key));
    })
    .map(({ key }) => key);
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

const underLease = async <Result>(
  db: Database,
  lease: Lease,
  work: (trx: Database) => Promise<Result>,
): Promise<Result> =>
  transaction(db, async (trx) => {
    await holdLease(trx, lease);
    return work(trx);
  });
