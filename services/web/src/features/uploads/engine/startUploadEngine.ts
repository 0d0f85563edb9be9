import { getSession, subscribeToSession } from '../../../lib/api/session.ts';
import { claimSharedFiles, removeForeignSharedFiles } from '../../../lib/browser/sharedFiles.ts';
import { collectHandles, type FoundFiles } from '../files/collectFiles.ts';
import { foundFile, type FoundFile } from '../files/foundFile.ts';
import { toHex } from '../files/toHex.ts';
import { listFilesAt, isPlanSettled } from '../plan/uploadPlan.ts';
import { openSavedUploads, type SavedUploads } from '../saved/savedUploads.ts';
import type { UploadEngine, UploadSnapshot, UploadSummary } from './uploadEngine.ts';
import { makeRoots, newUploadFile } from './entries.ts';
import { startPublishing } from './publishing.ts';
import { startRestoring } from './restoring.ts';
import { startRun } from './startRun.ts';

/** Maximum age of unclaimed shared files, in ms. */
const maxSharedAgeMs = 60 * 60 * 1000;

interface Listeners {
  readonly publish: (snapshot: UploadSnapshot) => void;
  readonly announce: (summary: UploadSummary) => void;
}

/** Starts the upload engine for a user and restores unfinished uploads. Deletes those of other users on this device. */
export const startUploadEngine = async (userId: string, listeners: Listeners): Promise<UploadEngine> => {
  const saved = await openSavedUploads(userId);
  await removeForeignSharedFiles(userId, Date.now() - maxSharedAgeMs);
  const others = await saved.listBatches();
  let list = startList(saved, listeners, others);

  /** Returns the list to add files to. Replaces a finished list, unless it shows failed or refused files. */
  const getOpenList = (): UploadList => {
    const { failed, refused, done, existing } = list.plan().tallies;
    const isOver = isPlanSettled(list.plan()) && done.files + existing.files > 0;
    if (isOver && failed.files + refused.files === 0) replace();
    return list;
  };
  const replace = (): void => {
    list.stop();
    list = startList(saved, listeners, []);
  };
  const unsubscribeFromSession = subscribeToSession(() => {
    if (getSession().kind === 'signedIn' && list.gate.haltedBy() === 'signedOut') list.gate.open();
  });
  const handleOnline = (): void => list.gate.releaseHold();
  addEventListener('online', handleOnline);

  return {
    add: async (found) => getOpenList().add(found),
    addShared: async (keys) => {
      const shared = await claimSharedFiles(userId, keys);
      const files = shared.map(({ key, file }) => foundFile(file.name, file, { shared: key }));
      if (files.length > 0) await getOpenList().add([files]);
      return files.length;
    },
    pause: () => list.pause(),
    resume: () => list.gate.open(),
    retry: (id) => {
      list.gate.open();
      list.retry(
        id === undefined ? [...listFilesAt(list.plan(), 'failed'), ...listFilesAt(list.plan(), 'waiting')] : [id],
      );
    },
    cancel: (id) => list.cancel([id]),
    clear: () => {
      list.forget();
      replace();
    },
    requestMissingFiles: async () => list.requestAccess(),
    stop: () => {
      unsubscribeFromSession();
      removeEventListener('online', handleOnline);
      list.stop();
    },
  };
};

type UploadList = ReturnType<typeof startList>;

/** Starts a list of uploads: the batch of this visit, and adopted batches of earlier visits. */
function startList(saved: SavedUploads, { publish, announce }: Listeners, others: readonly string[]) {
  const batch = toHex(crypto.getRandomValues(new Uint8Array(16)));
  const batches = new Set<string>();
  const ending = new AbortController();
  const roots = makeRoots();
  let places = 0;
  let collecting = 0;
  /** Saved `isCollected` state of the batch. Undefined: the batch is empty and not saved. */
  let savedIsCollected: boolean | undefined;
  let announced: UploadSummary = { added: 0, existing: 0, refused: 0 };

  const settle = (): void => {
    if (collecting > 0 || !isPlanSettled(run.plan())) return;
    const { done, existing, refused, failed } = run.plan().tallies;
    const all = { added: done.files, existing: existing.files, refused: refused.files + failed.files };
    const fresh = {
      added: all.added - announced.added,
      existing: all.existing - announced.existing,
      refused: Math.max(0, all.refused - announced.refused),
    };
    announced = all;
    if (fresh.added + fresh.existing + fresh.refused > 0) announce(fresh);
    if (failed.files > 0) return;
    // Keeps the saved state if files were added during the flush.
    void run.flush().then(async () => (collecting === 0 && isPlanSettled(run.plan()) ? forgetSaved() : undefined));
  };
  const forgetSaved = async (): Promise<void> => {
    const removedBatches = [...batches];
    batches.clear();
    savedIsCollected = undefined;
    await Promise.all(removedBatches.map(saved.removeBatch));
  };
  const run = startRun(saved, () => publishing.changed(), settle);
  const restoring = startRestoring(saved, run, (folder) => void add(collectHandles([folder])));
  const publishing = startPublishing(
    () => ({
      plan: run.plan(),
      isCollecting: collecting > 0,
      isPaused: run.gate.isPaused(),
      haltedBy: run.gate.haltedBy(),
      heldBy: run.gate.heldBy(),
      restorableFiles: restoring.countRequestable(),
    }),
    publish,
  );
  publishing.changed();
  holdTabLock(getLockName(batch), ending.signal, async () => undefined);
  for (const other of others) {
    holdTabLock(getLockName(other), ending.signal, async () => {
      if (await restoring.adopt(other)) batches.add(other);
      publishing.changed();
    });
  }

  const saveBatch = async (isCollected: boolean): Promise<void> => {
    if (savedIsCollected === isCollected) return;
    savedIsCollected = isCollected;
    batches.add(batch);
    await saved.saveBatch(batch, isCollected).catch(() => undefined);
  };
  const addSlice = async (slice: readonly FoundFile[]): Promise<void> => {
    const matches = restoring.match(slice);
    run.find(
      matches.flatMap((id, index) => (id === undefined ? [] : [[id, { source: slice[index]?.source }] as const])),
    );
    const fresh = slice.filter((_, index) => matches[index] === undefined);
    if (fresh.length === 0) return;
    await saveBatch(false);
    const entries = fresh.map(({ source, root }) => {
      const shared = 'shared' in source ? source.shared : undefined;
      places += 1;
      return { source, batch, place: places, root: root === undefined ? undefined : roots.getIndex(root), shared };
    });
    const newRoots = roots.takeUnsaved();
    if (newRoots.size > 0) await saved.saveRoots(batch, newRoots).catch(() => undefined);
    run.add(fresh.map(newUploadFile), entries);
  };

  const add = async (found: FoundFiles | readonly (readonly FoundFile[])[]): Promise<number> => {
    let count = 0;
    collecting += 1;
    try {
      for await (const slice of found) {
        if (ending.signal.aborted) break;
        count += slice.length;
        await addSlice(slice);
        await yieldToBrowser();
      }
      return count;
    } finally {
      collecting -= 1;
      if (collecting === 0 && savedIsCollected === false && !ending.signal.aborted) await saveBatch(true);
      settle();
      publishing.changed();
    }
  };

  return {
    ...run,
    requestAccess: async () => {
      await restoring.requestAccess();
      publishing.changed();
    },
    add,
    /** Cancels everything and deletes the saved state. */
    forget: () => {
      run.cancel([...Array(run.plan().files.length).keys()]);
      void run.flush().then(forgetSaved);
    },
    stop: () => {
      ending.abort();
      publishing.stop();
      run.stop();
    },
  };
}

const getLockName = (batch: string): string => `hearth-upload-${batch}`;

/** Lets the page handle input between slices. */
async function yieldToBrowser(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve);
  });
}

/**
 * Calls `onHeld` once this tab has the lock, which another tab may hold until it is closed. Holds the lock until
 * `signal` is aborted. Without `navigator.locks` (plain HTTP, except on localhost), calls `onHeld` at once.
 */
const holdTabLock = (name: string, signal: AbortSignal, onHeld: () => Promise<void>): void => {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) {
    void onHeld();
    return;
  }
  const held = async (): Promise<void> => {
    await onHeld();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  locks.request(name, { signal }, held).catch(() => undefined);
};
