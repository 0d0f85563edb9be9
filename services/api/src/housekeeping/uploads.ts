import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, underLease } from './leases/leases.ts';
import {
  deleteExpiredUploads,
  listReceivedUploads,
  listUnfinishedUploads,
  removeLeftovers,
} from '../features/uploads/uploadRemoval.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { acquireUpload } from '../features/uploads/acquireUpload.ts';
import { finishReceivedUpload } from '../features/uploads/finishUpload.ts';
import type { Deps } from '../deps/deps.ts';

/** Uploads per batch. */
const batchSize = 100;

/** Deletes expired uploads. `removeOrphans` deletes objects that this fails to delete. */
export const expireUploads = async (deps: Pick<Deps, 'db' | 'objects' | 'log'>, lease: Lease): Promise<void> => {
  for (;;) {
    const expired = await underLease(deps.db, lease, (trx) => deleteExpiredUploads(trx, batchSize));
    for (const upload of expired) {
      await removeLeftovers(deps, upload).catch((error: unknown) =>
        deps.log.warn(
          { err: error, uploadId: upload.id },
          'could not remove an expired upload; the orphan sweep will remove it',
        ),
      );
    }
    if (expired.length < batchSize) return;
  }
};

/** Poll interval for received uploads, in ms. */
const finishEveryMs = 60_000;

/**
 * Finishes received uploads until `signal` is aborted. Runs in every process, because uploads are claimed one by one.
 * Runs outside the housekeeper's lanes: uploads must not wait for removals, and must not delay count roll-ups if the
 * store does not respond.
 */
export const keepFinishingUploads = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await finishReceivedUploads(deps, signal).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'could not list received uploads'),
    );
    await sleep(finishEveryMs, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Finishes uploads whose bytes have arrived, but whose last request crashed before it created the item: their clients
 * may never retry. Claims each upload first, like a request.
 */
export const finishReceivedUploads = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  let batch: Awaited<ReturnType<typeof listReceivedUploads>> = [];
  do {
    // In batches by id, so that uploads that keep failing do not block others.
    batch = await listReceivedUploads(deps.db, batchSize, batch.at(-1)?.id);
    for (const { id, user_id: userId } of batch) {
      if (signal.aborted) return;
      try {
        await using held = await acquireUpload(deps, { userId, id, signal });
        if (held.upload.media_item_id === null) await finishReceivedUpload(deps, held);
      } catch (error) {
        deps.log.warn({ err: error, uploadId: id }, 'could not finish a received upload; retrying');
      }
    }
  } while (batch.length === batchSize);
};

/** Frees the parts of a user's unfinished uploads, which object listings do not show. */
export const abandonUploads = async ({ db, objects }: Pick<Deps, 'db' | 'objects'>, userId: string): Promise<void> => {
  for (const { id, write_id: writeId } of await listUnfinishedUploads(db, userId)) {
    if (writeId !== null) await objects.abandonParts(originalKey(userId, id), writeId);
  }
};
