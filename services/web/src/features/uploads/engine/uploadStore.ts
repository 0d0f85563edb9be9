import { getSession, subscribeToSession } from '../../../lib/api/session.ts';
import { useSyncExternalStore } from 'react';
import type { UploadEngine, UploadSnapshot, UploadSummary } from './uploadEngine.ts';
import { isPlanBusy } from '../plan/uploadPlan.ts';

let snapshot: UploadSnapshot | undefined;
let engine: Promise<UploadEngine> | undefined;
const listeners = new Set<() => void>();
const summaryListeners = new Set<(summary: UploadSummary) => void>();

/** Returns the uploads of this tab, or undefined without uploads. Updated a few times per second. */
export const useUploads = (): UploadSnapshot | undefined => useSyncExternalStore(subscribeToUploads, getUploads);

export const getUploads = (): UploadSnapshot | undefined => snapshot;

export const subscribeToUploads = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Calls `listener` when all uploads are settled. Returns a function that unsubscribes. */
export const subscribeToSummaries = (listener: (summary: UploadSummary) => void): (() => void) => {
  summaryListeners.add(listener);
  return () => summaryListeners.delete(listener);
};

/** Returns the upload engine, loaded on first use. @throws Error if no user is signed in */
export const uploadEngine = async (): Promise<UploadEngine> => {
  const session = getSession();
  if (session.kind !== 'signedIn') throw new Error('Not signed in.');
  engine ??= startEngine(session.userId).catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
};

/**
 * Resumes unfinished uploads of earlier visits, and deletes those of other users. Does not load the engine if the
 * device has none.
 */
export const restoreUploads = async (): Promise<void> => {
  const { databases } = indexedDB as Partial<IDBFactory>;
  // Most devices have no upload database. Firefox before 126 cannot list databases.
  if (databases !== undefined && (await databases.call(indexedDB)).length === 0) return;
  const { hasLeftovers } = await import('../saved/savedUploads.ts');
  if (await hasLeftovers()) await uploadEngine();
};

async function startEngine(userId: string): Promise<UploadEngine> {
  const { startUploadEngine } = await import('./startUploadEngine.ts');
  return startUploadEngine(userId, {
    publish: (next) => change(next.plan.files.length === 0 && !next.isCollecting ? undefined : next),
    announce: (summary) => {
      for (const listener of summaryListeners) listener(summary);
    },
  });
}

// Stops the engine and hides its uploads after sign-out.
subscribeToSession(() => {
  if (getSession().kind !== 'signedOut') return;
  void engine?.then(({ stop }) => stop());
  engine = undefined;
  change(undefined);
});

function change(next: UploadSnapshot | undefined): void {
  if (next === snapshot) return;
  snapshot = next;
  for (const listener of listeners) listener();
}

/** Returns whether leaving the page would interrupt an upload or a scan. */
export const useIsUploading = (): boolean => useSyncExternalStore(subscribeToUploads, isUploading);

const isUploading = (): boolean => {
  const uploads = getUploads();
  return uploads !== undefined && (uploads.isCollecting || isPlanBusy(uploads.plan));
};
