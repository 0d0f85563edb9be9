import { deleteAccount, listUsersForRemoval, removeRowsOfAccount } from '../accounts/accountRemoval.ts';
import { listClosedAlbums, removeClosedAlbum } from '../features/albums/albumRemoval.ts';
import { LeaseLostError, type Lease, underLease } from './leases/leases.ts';
import { deleteRemovedItems, listItemsForRemoval, markExpiredTrash } from '../features/trash/removal.ts';
import { userPrefix } from '@hearth/core/objects/keys.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import { removeObjectsOfItems } from '../features/trash/removeItem.ts';
import type { Deps } from '../deps/deps.ts';
import { abandonUploads } from './uploads.ts';

/** Objects or rows per batch. Keeps memory and transactions small. */
const batchSize = 500;

type RemovalDeps = Pick<Deps, 'db' | 'objects' | 'log'>;

/** Marks items for removal that have been in the trash for more than `trashDays`. */
export const emptyTrash = async ({ db, log }: RemovalDeps, lease: Lease, trashDays: number): Promise<void> => {
  const marked = await underLease(db, lease, (trx) => markExpiredTrash(trx, trashDays));
  if (marked > 0) log.info({ items: marked }, 'expired trash items marked for removal');
};

/** Delay before a failed removal is retried, in ms. Other removals may run for hours meanwhile. */
const retryMs = 60_000;

/** Key for the removal of items. Removals of accounts use the account id. */
const allItems = 'items';

/**
 * Removes all marked items and accounts, one batch of each in turn, so that no removal waits for a large library. A
 * failing removal does not stop the others.
 * @throws AggregateError of the failures, or LeaseLostError at once
 */
export const removeMarked = async (deps: RemovalDeps, lease: Lease, signal?: AbortSignal): Promise<void> => {
  const removals = new Map<string, AsyncGenerator<void, void>>();
  const failures = new Map<string, { readonly error: unknown; readonly retryAt: number }>();
  do {
    for (const key of [allItems, ...(await listUsersForRemoval(deps.db))]) {
      if (removals.has(key) || (failures.get(key)?.retryAt ?? 0) > Date.now()) continue;
      removals.set(key, key === allItems ? removeItems(deps, lease) : removeAccount(deps, lease, key));
    }
    for (const [key, removal] of removals) {
      if (signal?.aborted) return;
      try {
        if ((await removal.next()).done) removals.delete(key);
        failures.delete(key);
      } catch (error) {
        if (error instanceof LeaseLostError) throw error;
        removals.delete(key);
        failures.set(key, { error, retryAt: Date.now() + retryMs });
      }
    }
  } while (removals.size > 0);
  const errors = [...failures.values()].map(({ error }) => error);
  if (errors.length > 0) throw new AggregateError(errors, 'could not remove all marked items and accounts');
};

/**
 * Completes album removals interrupted by a crash, see [Note: Album removal]. Stops between two albums when `signal` is
 * aborted. A failing removal does not stop the others.
 * @throws AggregateError of the failures, after all others are done; LeaseLostError at once
 */
export const finishAlbumRemovals = async ({ db }: RemovalDeps, lease: Lease, signal: AbortSignal): Promise<void> => {
  const errors: unknown[] = [];
  for (const id of await listClosedAlbums(db, batchSize)) {
    if (signal.aborted) return;
    await removeClosedAlbum((work) => underLease(db, lease, work), id).catch((error: unknown) => {
      if (error instanceof LeaseLostError) throw error;
      errors.push(error);
    });
  }
  if (errors.length > 0) throw new AggregateError(errors, 'could not remove all deleted albums');
};

/** With more failed items than this, the store is assumed to be down, and the removal stops. */
const maxStuckItems = 20;

/**
 * Removes marked items, objects first, and yields after each batch.
 * @throws the first failure, after all other items are gone
 */
async function* removeItems({ db, objects }: RemovalDeps, lease: Lease): AsyncGenerator<void, void> {
  const stuck = new Map<string, unknown>();
  for (;;) {
    const items = await listItemsForRemoval(db, batchSize, [...stuck.keys()]);
    if (items.length === 0) break;
    await removeObjectsOfItems(objects, items).catch(async () => {
      for (const item of items) {
        await removeObjectsOfItems(objects, [item]).catch((error: unknown) => {
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

/** Removes a marked account with all its objects and rows, and yields after each batch, see [Note: Account removal]. */
async function* removeAccount(deps: RemovalDeps, lease: Lease, userId: string): AsyncGenerator<void, void> {
  const { db, objects, log } = deps;
  do {
    await abandonUploads(deps, userId);
    yield* removeRowsOfAccount((work) => underLease(db, lease, work), userId);
    yield* removeInBatches(objects, userPrefix(userId));
  } while (!(await underLease(db, lease, (trx) => deleteAccount(trx, userId))));
  log.info({ userId }, 'account removed with all its data');
}

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
