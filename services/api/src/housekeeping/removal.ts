import type { Lease } from '@hearth/core/db/leases.ts';
import {
  deleteRemovedItems,
  listItemsForRemoval,
  markExpiredTrash,
  type RemovedItem,
} from '@hearth/core/db/removal.ts';
import { deleteUser, listUsersForRemoval } from '@hearth/core/db/users.ts';
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
