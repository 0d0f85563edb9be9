import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Root } from '../files/foundFile.ts';
import type { UploadFile } from '../plan/uploadFile.ts';

/** A file of a batch with its place in it, and where the browser can find it again. */
export interface SavedFile extends UploadFile {
  readonly batch: string;
  readonly place: number;
  /** Which of the batch's roots leads to it. */
  readonly root?: number | undefined;
  /** By which key another app's file is kept. */
  readonly shared?: number | undefined;
}

interface Batch {
  readonly batch: string;
  readonly userId: string;
}

interface SavedUploadsSchema extends DBSchema {
  batches: { key: string; value: Batch };
  files: { key: [batch: string, place: number]; value: SavedFile };
  roots: { key: [batch: string, place: number]; value: Root };
}

/** How many files one transaction writes: a few milliseconds' worth of copying for the page. */
const filesPerTransaction = 500;

/** What one tab is uploading, kept so that the tab, or the next one, goes on with it after a reload. */
export interface SavedUploads {
  /** All batches of this user. */
  readonly listBatches: () => Promise<string[]>;
  readonly addBatch: (batch: string) => Promise<void>;
  readonly listFiles: (batch: string) => Promise<SavedFile[]>;
  readonly listRoots: (batch: string) => Promise<Map<number, Root>>;
  readonly saveRoots: (batch: string, roots: ReadonlyMap<number, Root>) => Promise<void>;
  readonly saveFiles: (files: readonly SavedFile[]) => Promise<void>;
  readonly removeBatch: (batch: string) => Promise<void>;
}

/** Opens what is kept of this user's uploads on this device. What is kept of anybody else's is removed. */
export const openSavedUploads = async (userId: string): Promise<SavedUploads> => {
  const db = await openDB<SavedUploadsSchema>('hearth-uploads', 1, {
    upgrade: (db) => {
      db.createObjectStore('batches', { keyPath: 'batch' });
      db.createObjectStore('files', { keyPath: ['batch', 'place'] });
      db.createObjectStore('roots');
    },
  });
  for (const { batch, userId: owner } of await db.getAll('batches')) {
    if (owner !== userId) await removeBatch(db, batch);
  }
  return {
    listBatches: async () =>
      (await db.getAll('batches')).filter(({ userId: owner }) => owner === userId).map(({ batch }) => batch),
    addBatch: async (batch) => void (await db.put('batches', { batch, userId })),
    listFiles: async (batch) => db.getAll('files', rangeOf(batch)),
    listRoots: async (batch) => {
      const [keys, roots] = await Promise.all([
        db.getAllKeys('roots', rangeOf(batch)),
        db.getAll('roots', rangeOf(batch)),
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

const rangeOf = (batch: string): IDBKeyRange => IDBKeyRange.bound([batch], [batch, []]);

async function removeBatch(db: IDBPDatabase<SavedUploadsSchema>, batch: string): Promise<void> {
  const transaction = db.transaction(['batches', 'files', 'roots'], 'readwrite');
  await Promise.all([
    transaction.objectStore('files').delete(rangeOf(batch)),
    transaction.objectStore('roots').delete(rangeOf(batch)),
    transaction.objectStore('batches').delete(batch),
    transaction.done,
  ]);
}
