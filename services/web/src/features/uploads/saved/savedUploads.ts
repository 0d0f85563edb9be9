import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Root } from '../files/foundFile.ts';
import type { UploadFile } from '../plan/uploadFile.ts';
import { hasSharedFiles } from '../../../lib/browser/sharedFiles.ts';

/** File of a batch, with references to its bytes. */
export interface SavedFile extends UploadFile {
  readonly batch: string;
  /** Number of the file in its batch, from 1. */
  readonly place: number;
  /** Index of the batch's root that contains the file. */
  readonly root?: number | undefined;
  /** Key of a file shared from another app. */
  readonly shared?: number | undefined;
}

interface Batch {
  readonly batch: string;
  readonly userId: string;
  /** False if the scan was incomplete; its folders are then scanned again. */
  readonly isCollected: boolean;
}

interface SavedUploadsSchema extends DBSchema {
  batches: { key: string; value: Batch };
  files: { key: [batch: string, place: number]; value: SavedFile };
  roots: { key: [batch: string, place: number]; value: Root };
}

/** Files per transaction. Copying them blocks the page for a few milliseconds. */
const filesPerTransaction = 500;

/** Uploads of this device in IndexedDB, for resuming after a reload. */
export interface SavedUploads {
  readonly listBatches: () => Promise<string[]>;
  /** Saves a batch. `isCollected`: all its files were found. */
  readonly saveBatch: (batch: string, isCollected: boolean) => Promise<void>;
  readonly isCollected: (batch: string) => Promise<boolean>;
  readonly listFiles: (batch: string) => Promise<SavedFile[]>;
  readonly listRoots: (batch: string) => Promise<Map<number, Root>>;
  readonly saveRoots: (batch: string, roots: ReadonlyMap<number, Root>) => Promise<void>;
  readonly saveFiles: (files: readonly SavedFile[]) => Promise<void>;
  readonly removeBatch: (batch: string) => Promise<void>;
}

/** Returns whether saved uploads of any user exist on this device. */
export const hasSavedUploads = async (): Promise<boolean> => {
  const db = await open();
  try {
    return (await db.count('batches')) > 0;
  } finally {
    db.close();
  }
};

/** Opens the user's saved uploads. Deletes those of other users. */
export const openSavedUploads = async (userId: string): Promise<SavedUploads> => {
  const db = await open();
  for (const { batch, userId: owner } of await db.getAll('batches')) {
    if (owner !== userId) await removeBatch(db, batch);
  }
  return {
    listBatches: async () =>
      (await db.getAll('batches')).filter(({ userId: owner }) => owner === userId).map(({ batch }) => batch),
    saveBatch: async (batch, isCollected) => void (await db.put('batches', { batch, userId, isCollected })),
    isCollected: async (batch) => (await db.get('batches', batch))?.isCollected ?? true,
    listFiles: async (batch) => db.getAll('files', getKeyRange(batch)),
    listRoots: async (batch) => {
      const [keys, roots] = await Promise.all([
        db.getAllKeys('roots', getKeyRange(batch)),
        db.getAll('roots', getKeyRange(batch)),
      ]);
      return new Map(keys.flatMap(([, place], index) => (roots[index] === undefined ? [] : [[place, roots[index]]])));
    },
    saveRoots: async (batch, roots) => {
      const { store, done } = db.transaction('roots', 'readwrite', { durability: 'relaxed' });
      await Promise.all([...[...roots].map(([place, root]) => store.put(root, [batch, place])), done]);
    },
    saveFiles: async (files) => {
      for (let from = 0; from < files.length; from += filesPerTransaction) {
        const { store, done } = db.transaction('files', 'readwrite', { durability: 'relaxed' });
        const slice = files.slice(from, from + filesPerTransaction);
        await Promise.all([...slice.map((file) => store.put(file)), done]);
      }
    },
    removeBatch: async (batch) => removeBatch(db, batch),
  };
};

const open = async (): Promise<IDBPDatabase<SavedUploadsSchema>> =>
  openDB<SavedUploadsSchema>('hearth-uploads', 1, {
    upgrade: (db) => {
      db.createObjectStore('batches', { keyPath: 'batch' });
      db.createObjectStore('files', { keyPath: ['batch', 'place'] });
      db.createObjectStore('roots');
    },
  });

const getKeyRange = (batch: string): IDBKeyRange => IDBKeyRange.bound([batch], [batch, []]);

async function removeBatch(db: IDBPDatabase<SavedUploadsSchema>, batch: string): Promise<void> {
  const transaction = db.transaction(['batches', 'files', 'roots'], 'readwrite');
  await Promise.all([
    transaction.objectStore('files').delete(getKeyRange(batch)),
    transaction.objectStore('roots').delete(getKeyRange(batch)),
    transaction.objectStore('batches').delete(batch),
    transaction.done,
  ]);
}

/** Returns whether saved uploads or shared files of any user exist on this device. */
export const hasLeftovers = async (): Promise<boolean> => (await hasSavedUploads()) || (await hasSharedFiles());
