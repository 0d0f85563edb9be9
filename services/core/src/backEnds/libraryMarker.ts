import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Database } from '../db/database.ts';
import { readLibraryId, sampleItems } from './library.ts';
import { originalKey } from '../objects/keys.ts';
import { formatMarker, markerKey, parseMarker } from '../objects/marker.ts';
import { isNotFound, isRefused } from '../objects/objectErrors.ts';
import type { ObjectStore } from '../objects/objects.ts';

/*
 * [Note: Library marker] The object store holds one object with the id of its library. The database holds the same id. A store without the marker, or with
 * another id, is the wrong one: a disk that is not mounted, another bucket, a folder that was moved away. Uploads would go to the wrong place, and
 * every original would look lost. The id is in the database, so replicas that start at once write the same marker. A folder can also be replaced
 * while a process runs, so a folder store looks for the marker at each write and at each object that it does not find.
 */

/** Originals that are looked up in a store without a marker before it gets one. */
const sampleSize = 20;

/** The store is not the one of this database. A retry does not help; a person has to bring back the right store, or decide. */
export class WrongStoreError extends Error {
  constructor(what: string) {
    super(
      `${what}. Bring back the store of this database (mount its disk, correct the bucket or HEARTH_DATA_DIR), and start again. ` +
        'If this store is to belong to this database from now on, run "npm run orphans -- --take-over", or see "The wrong object store" in the guide',
    );
    this.name = 'WrongStoreError';
  }
}

/** Returns true if `claimStore` may succeed later without a person, who has to act if the store is the wrong one or may not be used. */
export const isClaimWorthATry = (error: unknown): boolean => !(error instanceof WrongStoreError) && !isRefused(error);

/**
 * Checks that the store is that of the database. Writes nothing.
 * @throws WrongStoreError where the marker is missing or another library's, and StoreError where the store is unavailable
 */
export const checkLibraryMarker = async (objects: ObjectStore, db: Database): Promise<void> => {
  const [marker, id] = await Promise.all([readMarker(objects), readLibraryId(db)]);
  if (marker === undefined) throw new WrongStoreError('the object store has no marker of a library');
  if (marker !== id) throw foreign(marker, id);
};

/** Checks that the store is not another library's; one without a marker passes. @throws WrongStoreError, StoreError */
export const refuseForeignStore = async (objects: ObjectStore, db: Database): Promise<void> => {
  const marker = await readMarker(objects);
  if (marker === undefined) return;
  const id = await readLibraryId(db);
  if (marker !== id) throw foreign(marker, id);
};

/**
 * Checks at a start that the store is that of the database, as `checkLibraryMarker` does. Writes the marker into a store without one if the database has
 * no items yet, or if the store has at least half of a sample of its originals. Replaces the marker of another library if store and database are empty.
 * @throws WrongStoreError, StoreError
 */
export const claimStore = async (objects: ObjectStore, db: Database): Promise<void> => {
  const [marker, id] = await Promise.all([readMarker(objects), readLibraryId(db)]);
  if (marker === id) return objects.claim(id);
  const sample = await sampleOriginals(db);
  if (marker !== undefined) {
    if (sample.length > 0 || !(await isEmpty(objects))) throw foreign(marker, id);
  } else {
    const found = await countPresent(objects, sample);
    if (found * 2 < sample.length) {
      const seen = `${found} of ${sample.length} originals that were looked for`;
      throw new WrongStoreError(`the object store has no marker of a library, and only ${seen} are in it`);
    }
  }
  await takeOverStore(objects, db);
};

/** Assigns the store to this database, also if it belonged to another one. @throws StoreError */
export const takeOverStore = async (objects: ObjectStore, db: Database): Promise<void> => {
  const id = await readLibraryId(db);
  await objects.claim();
  await objects.put(markerKey, Readable.from([Buffer.from(formatMarker(id))], { objectMode: false }));
  await objects.claim(id);
};

const foreign = (marker: string, id: string): WrongStoreError =>
  new WrongStoreError(`the object store belongs to another library (${marker}), and the database to library ${id}`);

/** Returns the id in the marker, or undefined without a marker. */
const readMarker = async (objects: ObjectStore): Promise<string | undefined> => {
  try {
    return parseMarker(await text(await objects.open(markerKey)));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/** Returns the keys of random originals; none if the database has no items. */
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

/** True if the store holds at most a marker. */
const isEmpty = async (objects: ObjectStore): Promise<boolean> => {
  for await (const { key } of objects.list('')) if (key !== markerKey) return false;
  return true;
};
