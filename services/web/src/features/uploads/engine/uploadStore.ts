import { getSession, subscribeToSession } from '../../../lib/api/session.ts';
import { useSyncExternalStore } from 'react';
import type { UploadEngine, UploadSnapshot, UploadSummary } from './uploadEngine.ts';
import { isPlanBusy } from '../plan/uploadPlan.ts';

let snapshot: UploadSnapshot | undefined;
let engine: Promise<UploadEngine> | undefined;
const listeners = new Set<() => void>();
const summaryListeners = new Set<(summary: UploadSummary) => void>();

/** How far the uploads of this tab have come; nothing while there are none. The same object until it changes, some times a second. */
export const useUploads = (): UploadSnapshot | undefined => useSyncExternalStore(subscribeToUploads, getUploads);

export const getUploads = (): UploadSnapshot | undefined => snapshot;

export const subscribeToUploads = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Calls `listener` whenever everything has come to its end. */
export const subscribeToSummaries = (listener: (summary: UploadSummary) => void): (() => void) => {
  summaryListeners.add(listener);
  return () => summaryListeners.delete(listener);
};

/** What uploads for whoever is signed in; loaded when it is first needed. @throws Error when nobody is. */
export const uploadEngine = async (): Promise<UploadEngine> => {
  const session = getSession();
  if (session.kind !== 'signedIn') throw new Error('Nobody is signed in.');
  engine ??= startEngine(session.userId).catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
};

/**
 * Goes on with what an earlier visit has left unfinished, and removes what is left of somebody else. Where nothing is, what uploads is not even
 * loaded.
 */
export const restoreUploads = async (): Promise<void> => {
  const { databases } = indexedDB as Partial<IDBFactory>;
  // On most devices nobody has ever uploaded anything. Before Firefox 126 nobody can tell.
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

// Whoever comes next must not find anything of who was here.
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

/** Whether something is being uploaded, or looked through for it, that leaving the page would break off. */
export const useIsUploading = (): boolean => useSyncExternalStore(subscribeToUploads, isUploading);

const isUploading = (): boolean => {
  const uploads = getUploads();
  return uploads !== undefined && (uploads.isCollecting || isPlanBusy(uploads.plan));
};
