import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Database } from '../db/database.ts';
import { readLibraryId, sampleItems } from './library.ts';
import { originalKey } from '../objects/keys.ts';
import { formatMarker, markerKey, parseMarker } from '../objects/marker.ts';
import { isNotFound, isAccessDenied } from '../objects/objectErrors.ts';
import type { ObjectStore } from '../objects/objects.ts';

/*
 * [Note: Library marker] The object store holds one object with the id of its library, and the database holds the same
 * id. A store without the marker, or with another id, is the wrong one: an unmounted disk, another bucket, a folder
 * that was moved away. Uploads would go to the wrong place, and every original would look lost.
 * - Replicas that start at the same time write the same marker, because the id comes from the database.
 * - A folder can be replaced while a process runs. So a folder store checks the marker whenever it stores, lists or
 *   removes objects, and for each object or unfinished write that it does not find.
 */

/** Maximum number of originals to look up in a store without a marker before it gets one. */
const sampleSize = 20;

/**
 * The store does not belong to this database. A retry does not help: an operator has to restore access to the right
 * store, or assign this one to the database.
 */
export class WrongStoreError extends Error {
  constructor(what: string) {
    super(
      `${what}. Restore access to the object store of this database (mount its disk, correct the bucket or HEARTH_DATA_DIR) and restart. ` +
        'To use this store for this database from now on, run "npm run orphans -- --take-over", or see "The wrong object store" in the guide',
    );
    this.name = 'WrongStoreError';
  }
}

/** Returns false for errors that only an operator can fix: a wrong store, or one that denies access. */
export const isClaimRetryable = (error: unknown): boolean =>
  !(error instanceof WrongStoreError) && !isAccessDenied(error);

/**
 * Checks that the store belongs to the database. Writes nothing.
 * @throws WrongStoreError if the marker is missing or another library's; StoreError if the store is unavailable
 */
export const checkLibraryMarker = async (objects: ObjectStore, db: Database): Promise<void> => {
  const [marker, id] = await Promise.all([readMarker(objects), readLibraryId(db)]);
  if (marker === undefined) throw new WrongStoreError('the object store has no library marker');
  if (marker !== id) throw createForeignStoreError(marker, id);
};

/**
 * Rejects the store of another library. Accepts a store without a marker.
 * @throws WrongStoreError, StoreError
 */
export const rejectForeignStore = async (objects: ObjectStore, db: Database): Promise<void> => {
  const marker = await readMarker(objects);
  if (marker === undefined) return;
  const id = await readLibraryId(db);
  if (marker !== id) throw createForeignStoreError(marker, id);
};

/**
 * Checks before first use that the store belongs to the database. A store without a marker gets one if the database has
 * no items, or if at least half of a sample of originals is in the store. Replaces the marker of another library if
 * store and database are empty.
 * @throws WrongStoreError, StoreError
 */
export const claimStore = async (objects: ObjectStore, db: Database): Promise<void> => {
  const [marker, id] = await Promise.all([readMarker(objects), readLibraryId(db)]);
  if (marker === id) return objects.claim(id);
  const sample = await sampleOriginals(db);
  if (marker !== undefined) {
    if (sample.length > 0 || !(await isEmpty(objects))) throw createForeignStoreError(marker, id);
  } else {
    const found = await countPresent(objects, sample);
    if (found * 2 < sample.length) {
      const seen = `${found} of ${sample.length} sampled originals`;
      throw new WrongStoreError(`the object store has no library marker, and contains only ${seen}`);
    }
  }
  await takeOverStore(objects, db);
};

/** Assigns the store to this database, even if it belonged to another one. @throws StoreError */
export const takeOverStore = async (objects: ObjectStore, db: Database): Promise<void> => {
  const id = await readLibraryId(db);
  await objects.claim();
  await objects.put(markerKey, Readable.from([Buffer.from(formatMarker(id))], { objectMode: false }));
  await objects.claim(id);
};

const createForeignStoreError = (marker: string, id: string): WrongStoreError =>
  new WrongStoreError(`the object store belongs to library ${marker}, the database to library ${id}`);

const readMarker = async (objects: ObjectStore): Promise<string | undefined> => {
  try {
    return parseMarker(await text(await objects.open(markerKey)));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const sampleOriginals = async (db: Database): Promise<string[]> =>
  (await sampleItems(db, sampleSize)).map(({ userId, id }) => originalKey(userId, id));

const countPresent = async (objects: ObjectStore, keys: readonly string[]): Promise<number> => {
  const present = await Promise.all(
    keys.map((key) =>
      objects.stat(key).then(
        () => 1,
        (error: unknown) => {
          if (isNotFound(error)) return 0;
          throw error;
        },
      ),
    ),
  );
  return present.reduce<number>((sum, one) => sum + one, 0);
};

/** Returns true if the store holds at most a marker. */
const isEmpty = async (objects: ObjectStore): Promise<boolean> => {
  for await (const { key } of objects.list('')) if (key !== markerKey) return false;
  return true;
};
