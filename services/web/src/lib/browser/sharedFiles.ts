import { openDB, type DBSchema } from 'idb';

/** Files shared from other apps, until they are uploaded. The service worker writes them, and pages read them. */
interface SharedFilesSchema extends DBSchema {
  files: { key: number; value: SharedFile };
}

interface SharedFile {
  readonly file: File;
  readonly receivedAtMs: number;
  /** User who uploads the file. Undefined until a page of a signed-in user claims it. */
  readonly userId?: string | undefined;
}

const open = async () =>
  openDB<SharedFilesSchema>('hearth-shared-files', 1, {
    upgrade: (db) => {
      db.createObjectStore('files', { autoIncrement: true });
    },
  });

/** Opens the database for `work` only: an open connection would block a schema upgrade. */
const withFiles = async <T>(work: (db: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> => {
  const db = await open();
  try {
    return await work(db);
  } finally {
    db.close();
  }
};

/** Stores shared files. `receivedAtMs` becomes their modification time. */
export const storeSharedFiles = async (files: readonly File[], receivedAtMs: number): Promise<void> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    // Form data has no modification times. Chromium returns the current time on each read, as if the files kept
    // changing.
    const timed = files.map((file) => new File([file], file.name, { type: file.type, lastModified: receivedAtMs }));
    await Promise.all([...timed.map((file) => store.add({ file, receivedAtMs })), done]);
  });

/** Returns whether any shared file is stored, claimed or not. */
export const hasSharedFiles = async (): Promise<boolean> => withFiles(async (db) => (await db.count('files')) > 0);

export interface StoredFile {
  readonly key: number;
  readonly file: File;
}

/** Lists all unclaimed files. */
export const listSharedFiles = async (): Promise<StoredFile[]> =>
  withFiles(async (db) => {
    const { store } = db.transaction('files');
    const files: StoredFile[] = [];
    for (let cursor = await store.openCursor(); cursor !== null; cursor = await cursor.continue()) {
      if (cursor.value.userId === undefined) files.push({ key: cursor.key, file: cursor.value.file });
    }
    return files;
  });

/** Assigns unclaimed files to the user and returns them. */
export const claimSharedFiles = async (userId: string, keys: readonly number[]): Promise<StoredFile[]> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    const claimed: StoredFile[] = [];
    for (const key of keys) {
      const shared = await store.get(key);
      if (shared === undefined || shared.userId !== undefined) continue;
      claimed.push({ key, file: shared.file });
      await store.put({ ...shared, userId }, key);
    }
    await done;
    return claimed;
  });

/** Reads a shared file. @throws DOMException `NotFoundError` if it was removed */
export const readSharedFile = async (key: number): Promise<File> => {
  const shared = await withFiles(async (db) => db.get('files', key));
  if (shared === undefined) throw new DOMException('The shared file was removed.', 'NotFoundError');
  return shared.file;
};

/** Removes files that were uploaded or declined. */
export const removeSharedFiles = async (keys: readonly number[]): Promise<void> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    await Promise.all([...keys.map((key) => store.delete(key)), done]);
  });

/** Removes files claimed by other users, and unclaimed files received before `beforeMs`. */
export const removeForeignSharedFiles = async (userId: string, beforeMs: number): Promise<void> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    for (let cursor = await store.openCursor(); cursor !== null; cursor = await cursor.continue()) {
      const { userId: owner, receivedAtMs } = cursor.value;
      const isForeign = owner === undefined ? receivedAtMs < beforeMs : owner !== userId;
      if (isForeign) await cursor.delete();
    }
    await done;
  });
