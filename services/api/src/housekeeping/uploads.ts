import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, underLease } from './leases/leases.ts';
import {
  deleteExpiredUploads,
  listReceivedUploads,
  listUnfinishedUploads,
  removeRemains,
} from '../features/uploads/uploadRemoval.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { holdUpload } from '../features/uploads/holdUpload.ts';
import { finishReceivedUpload } from '../features/uploads/finishUpload.ts';
import type { Deps } from '../deps/deps.ts';

/** Uploads handled in one step. */
const batchSize = 100;

/** Gives up uploads that were not continued before they expired. `removeOrphans` removes what this cannot. */
export const expireUploads = async (deps: Pick<Deps, 'db' | 'objects' | 'log'>, lease: Lease): Promise<void> => {
  for (;;) {
    const expired = await underLease(deps.db, lease, (trx) => deleteExpiredUploads(trx, batchSize));
    for (const upload of expired) {
      await removeRemains(deps, upload).catch((error: unknown) =>
        deps.log.warn({ err: error, uploadId: upload.id }, 'not removed yet; the orphan sweep will do it'),
      );
    }
    if (expired.length < batchSize) return;
  }
};

/** Milliseconds between two looks for received uploads. */
const finishEveryMs = 60_000;

/**
 * Finishes received uploads until `signal` is aborted, in every process and outside of the housekeeper's lanes: each upload has a claim of
 * its own, no removal keeps an upload waiting, and a store that does not answer keeps no count from being rolled up.
 */
export const keepFinishingUploads = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await finishReceivedUploads(deps, signal).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'received uploads could not be looked for'),
    );
    await sleep(finishEveryMs, undefined, { signal }).catch(() => undefined);
  }
};

/**
 * Finishes uploads whose bytes have all arrived, and whose last request was cut off by a crash before it made an item of them: their
 * clients may never ask again. Like a request, it claims the upload first.
 */
export const finishReceivedUploads = async (deps: Deps, signal: AbortSignal): Promise<void> => {
  let batch: Awaited<ReturnType<typeof listReceivedUploads>> = [];
  do {
    // All of them, in batches: uploads that fail again and again do not keep the others waiting.
    batch = await listReceivedUploads(deps.db, batchSize, batch.at(-1)?.id);
    for (const { id, user_id: userId } of batch) {
      if (signal.aborted) return;
      try {
        await using held = await holdUpload(deps, { userId, id, signal });
        if (held.upload.media_item_id === null) await finishReceivedUpload(deps, held);
      } catch (error) {
        deps.log.warn({ err: error, uploadId: id }, 'a received upload could not be finished and will be tried again');
      }
    }
  } while (batch.length === batchSize);
};

/** Frees the parts of a user's unfinished uploads, which no listing of objects shows. */
export const abandonUploads = async ({ db, objects }: Pick<Deps, 'db' | 'objects'>, userId: string): Promise<void> => {
  for (const { id, write_id: writeId } of await listUnfinishedUploads(db, userId)) {
    if (writeId !== null) await objects.abandonParts(originalKey(userId, id), writeId);
  }
};
