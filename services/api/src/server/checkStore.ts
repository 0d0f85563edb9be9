import { setTimeout as sleep } from 'node:timers/promises';
import { claimStore, isClaimWorthATry } from '@hearth/core/backEnds/libraryMarker.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import type { Deps } from '../deps/deps.ts';

/** Milliseconds that a start waits for the object store. Then the API serves what needs no store. */
const patienceMs = 5_000;

/**
 * Prepares the object store and checks that it is the one of the database, see [Note: Library marker]. Resolves when that is done, or when the
 * store is still unavailable after a few seconds: then the check goes on, uploads get 503 until it has passed, and a wrong store ends the process.
 * @throws WrongStoreError, and StoreError if this user may not use the store
 */
export const checkStore = async ({ objects, db, log, state }: Deps): Promise<void> => {
  const isWorthATry = (error: unknown): boolean => isClaimWorthATry(error) && !state.isStopping;
  const check = async (): Promise<void> => {
    await objects.prepare();
    await claimStore(objects, db);
    state.isStoreChecked = true;
  };
  const checking = retryUntilDone(log, 'preparing the object store', check, isWorthATry).catch((error: unknown) => {
    // Everything is being closed, and the check cannot succeed any more.
    if (!state.isStopping) throw error;
  });
  const over = new AbortController();
  const waiting = sleep(patienceMs, 'waiting', { signal: over.signal }).catch(() => undefined);
  const isWaiting = (await Promise.race([checking, waiting])) === 'waiting';
  over.abort();
  if (!isWaiting) return;
  checking.catch((error: unknown) => {
    log.fatal({ err: error }, `the API cannot work with this object store: ${explainFailure(error)}`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  });
};
