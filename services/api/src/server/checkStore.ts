import { setTimeout as sleep } from 'node:timers/promises';
import { claimStore, isClaimRetryable } from '@hearth/core/backEnds/libraryMarker.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import type { Deps } from '../deps/deps.ts';

/** Time that the start waits for the object store, in ms. Afterwards the API serves everything that needs no store. */
const maxWaitMs = 5_000;

/**
 * Prepares the object store and checks that it belongs to the database, see [Note: Library marker]. Resolves when done,
 * or after a few seconds if the store is unavailable. Then the check continues in the background, uploads get 503 until
 * it passes, and a wrong store ends the process.
 * @throws WrongStoreError
 * @throws StoreError if access to the store is denied
 */
export const checkStore = async ({ objects, db, log, state }: Deps): Promise<void> => {
  const isRetryable = (error: unknown): boolean => isClaimRetryable(error) && !state.isStopping;
  const check = async (): Promise<void> => {
    await objects.prepare();
    await claimStore(objects, db);
    state.isStoreChecked = true;
  };
  const checking = retryUntilDone(log, 'checking the object store', check, isRetryable).catch((error: unknown) => {
    // Shutdown has closed everything, so the check can no longer succeed.
    if (!state.isStopping) throw error;
  });
  const done = new AbortController();
  const waiting = sleep(maxWaitMs, 'waiting', { signal: done.signal }).catch(() => undefined);
  const isWaiting = (await Promise.race([checking, waiting])) === 'waiting';
  done.abort();
  if (!isWaiting) return;
  checking.catch((error: unknown) => {
    log.fatal({ err: error }, `cannot use this object store: ${explainFailure(error)}`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  });
};
