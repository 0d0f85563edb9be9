import { deleteAccount, listUsersForRemoval, removeRowsOfAccount } from '@hearth/core/db/accounts/accountRemoval.ts';
import { listClosedAlbums, removeClosedAlbum } from '@hearth/core/db/collections/albumRemoval.ts';
import { LeaseLostError, type Lease } from '@hearth/core/db/connection/leases.ts';
import {
  deleteRemovedItems,
  listItemsForRemoval,
  markExpiredTrash,
  type RemovedItem,
} from '@hearth/core/db/items/removal.ts';
import { mediaItemPrefix, userPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Deps } from '../deps.ts';
import { underLease } from './underLease.ts';
import { abandonUploads } from './uploads.ts';

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
  await removePrefixes(objects, [mediaItemPrefix(item.userId, item.id)]);
  await deleteRemovedItems(db, [item.id]);
};

/** Milliseconds after which a removal that has failed begins anew, while others go on for hours. */
const retryMs = 60_000;

/** Stands for the removal of items among those of accounts, which are known by their ids. */
const allItems = 'items';

/**
 * Removes every item and account that is marked, a batch of each in turn, so that nobody waits for a large library to be gone, nor what is
 * marked while that goes on. One that cannot be removed now keeps no other one.
 * @throws what has kept one of them, or LeaseLostError
 */
export const removeMarked = async (deps: RemovalDeps, lease: Lease, signal?: AbortSignal): Promise<void> => {
  const removals = new Map<string, AsyncGenerator<void, void>>();
  const failures = new Map<string, { readonly error: unknown; readonly retryAt: number }>();
  do {
    for (const which of [allItems, ...(await listUsersForRemoval(deps.db))]) {
      if (removals.has(which) || (failures.get(which)?.retryAt ?? 0) > Date.now()) continue;
      removals.set(which, which === allItems ? removeItems(deps, lease) : removeAccount(deps, lease, which));
    }
    for (const [which, removal] of removals) {
      if (signal?.aborted) return;
      try {
        if ((await removal.next()).done) removals.delete(which);
        failures.delete(which);
      } catch (error) {
        if (error instanceof LeaseLostError) throw error;
        removals.delete(which);
        failures.set(which, { error, retryAt: Date.now() + retryMs });
      }
    }
  } while (removals.size > 0);
  const errors = [...failures.values()].map(({ error }) => error);
  if (errors.length > 0) throw new AggregateError(errors, 'not everything that is marked could be removed');
};

/** Finishes the removal of albums that a crash has cut off, see [Note: Album removal]; between two of them it ends when it is told to. */
export const finishAlbums = async ({ db }: RemovalDeps, lease: Lease, signal: AbortSignal): Promise<void> => {
  for (const id of await listClosedAlbums(db, batchSize)) {
    if (signal.aborted) return;
    await removeClosedAlbum((work) => underLease(db, lease, work), id);
  }
};

/** Items that cannot be removed beyond which it is the store that is at fault, so that nothing else is tried. */
const maxStuckItems = 20;

/** Removes marked items, objects first, and yields after each batch. @throws what has kept the first of those that stay, when the others are gone */
async function* removeItems({ db, objects }: RemovalDeps, lease: Lease): AsyncGenerator<void, void> {
  const stuck = new Map<string, unknown>();
  for (;;) {
    const items = await listItemsForRemoval(db, batchSize, [...stuck.keys()]);
    if (items.length === 0) break;
    await removeObjectsOf(objects, items).catch(async () => {
      for (const item of items) {
        await removeObjectsOf(objects, [item]).catch((error: unknown) => {
          if (stuck.size >= maxStuckItems) throw error;
          stuck.set(item.id, error);
        });
      }
    });
    const gone = items.map(({ id }) => id).filter((id) => !stuck.has(id));
    await underLease(db, lease, (trx) => deleteRemovedItems(trx, gone));
    yield;
  }
  for (const error of stuck.values()) throw error;
}

const removeObjectsOf = async (objects: ObjectStore, items: readonly RemovedItem[]): Promise<void> =>
  removePrefixes(
    objects,
    items.map(({ id, userId }) => mediaItemPrefix(userId, id)),
  );

/** Removes all that is of a marked account, and yields after each batch; see [Note: Account removal]. */
async function* removeAccount(deps: RemovalDeps, lease: Lease, userId: string): AsyncGenerator<void, void> {
  const { db, objects, log } = deps;
  do {
    await abandonUploads(deps, userId);
    yield* removeRowsOfAccount((work) => underLease(db, lease, work), userId);
    yield* removeInBatches(objects, userPrefix(userId));
  } while (!(await underLease(db, lease, (trx) => deleteAccount(trx, userId))));
  log.info({ userId }, 'an account has been removed with all that was of it');
}

/** Items whose objects are listed at the same time. */
const listedAtOnce = 10;

/** Removes all objects below these prefixes, of which each has a few. */
const removePrefixes = async (objects: ObjectStore, prefixes: readonly string[]): Promise<void> => {
  for (let begin = 0; begin < prefixes.length; begin += listedAtOnce) {
    const listed = prefixes
      .slice(begin, begin + listedAtOnce)
      .map(async (prefix) => Array.fromAsync(objects.list(prefix), ({ key }) => key));
    await objects.remove((await Promise.all(listed)).flat());
  }
};

async function* removeInBatches(objects: ObjectStore, prefix: string): AsyncGenerator<void, void> {
  let keys: string[] = [];
  for await (const { key } of objects.list(prefix)) {
    keys.push(key);
    if (keys.length < batchSize) continue;
    await objects.remove(keys);
    keys = [];
    yield;
  }
  await objects.remove(keys);
}
