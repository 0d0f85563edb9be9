import { openDB, type DBSchema } from 'idb';

/** What other apps have handed over, until it is uploaded. The service worker receives it; the page reads it. */
interface SharedFilesSchema extends DBSchema {
  files: { key: number; value: SharedFile };
}

interface SharedFile {
  readonly file: File;
  readonly receivedAtMs: number;
  /** Whose upload it has become; nobody's until a page of somebody who is signed in took it. */
  readonly userId?: string | undefined;
}

const open = async () =>
  openDB<SharedFilesSchema>('hearth-shared-files', 1, {
    upgrade: (db) => {
      db.createObjectStore('files', { autoIncrement: true });
    },
  });

/** Runs `work` with the database, which is closed afterwards: an open one would keep a new version from being set up. */
const withFiles = async <T>(work: (db: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> => {
  const db = await open();
  try {
    return await work(db);
  } finally {
    db.close();
  }
};

/** Keeps files that were shared with the app, at the time `receivedAtMs`. */
export const keepSharedFiles = async (files: readonly File[], receivedAtMs: number): Promise<void> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    // A form tells no time of its files: Chromium answers each time that of the moment, as if they changed all the time.
    const timed = files.map((file) => new File([file], file.name, { type: file.type, lastModified: receivedAtMs }));
    await Promise.all([...timed.map((file) => store.add({ file, receivedAtMs })), done]);
  });

/** Whether there is any file, taken or not. */
export const hasSharedFiles = async (): Promise<boolean> => withFiles(async (db) => (await db.count('files')) > 0);

/** A file that was shared, by its key. */
export interface HandedFile {
  readonly key: number;
  readonly file: File;
}

/** All files that nobody has taken yet. */
export const listSharedFiles = async (): Promise<HandedFile[]> =>
  withFiles(async (db) => {
    const { store } = db.transaction('files');
    const files: HandedFile[] = [];
    for (let cursor = await store.openCursor(); cursor !== null; cursor = await cursor.continue()) {
      if (cursor.value.userId === undefined) files.push({ key: cursor.key, file: cursor.value.file });
    }
    return files;
  });

/** Takes these files for this user, but for those that somebody has taken already. */
export const claimSharedFiles = async (userId: string, keys: readonly number[]): Promise<HandedFile[]> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    const claimed: HandedFile[] = [];
    for (const key of keys) {
      const shared = await store.get(key);
      if (shared === undefined || shared.userId !== undefined) continue;
      claimed.push({ key, file: shared.file });
      await store.put({ ...shared, userId }, key);
    }
    await done;
    return claimed;
  });

/** A file that was shared with the app. @throws DOMException where it was removed. */
export const readSharedFile = async (key: number): Promise<File> => {
  const shared = await withFiles(async (db) => db.get('files', key));
  if (shared === undefined) throw new DOMException('The shared file was removed.', 'NotFoundError');
  return shared.file;
};

/** Removes files that have been uploaded or that nobody wants to upload any more. */
export const removeSharedFiles = async (keys: readonly number[]): Promise<void> =>
  withFiles(async (db) => {
    const { store, done } = db.transaction('files', 'readwrite');
    await Promise.all([...keys.map((key) => store.delete(key)), done]);
  });

/** Removes what another user has taken, and what nobody took since `beforeMs`. */
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
