import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { openFolderStore } from '../objects/folder/folderStore.ts';
import { originalKey } from '../objects/keys.ts';
import { markerKey } from '../objects/marker.ts';
import { StoreError } from '../objects/objectErrors.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase, type MigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { makeFolder, type TestFolder } from '@hearth/testkit/objects/testFolder.ts';
import { checkLibraryMarker, claimStore, rejectForeignStore, takeOverStore, WrongStoreError } from './libraryMarker.ts';

/** Creates a database with its own library id. Test databases are copies of one template and would share it. */
const openLibrary = async (t: TestContext): Promise<MigratedDatabase> => {
  const database = await createMigratedDatabase();
  t.after(() => database.drop());
  await database.db.updateTable('library').set({ id: randomUUID() }).execute();
  return database;
};

const openStore = async (t: TestContext): Promise<TestFolder> => {
  const folder = await makeFolder();
  t.after(() => folder[Symbol.asyncDispose]());
  return folder;
};

const put = async (store: ObjectStore, key: string): Promise<unknown> =>
  store.put(key, Readable.from([Buffer.from('bytes')], { objectMode: false }));

/** Adds items without stored originals. Returns the keys of these originals. */
const addItems = async ({ db }: MigratedDatabase, count: number): Promise<string[]> => {
  const { id } = await buildUser(db);
  const items = await Promise.all(Array.from({ length: count }, () => buildMediaItem(db, id)));
  return items.map((item) => originalKey(id, item.id));
};

test('marks a new store, accepts it again with items, and rejects an empty one in its place', async (t) => {
  const [{ db, ...library }, { store, root }] = [await openLibrary(t), await openStore(t)];
  await assert.rejects(checkLibraryMarker(store, db), WrongStoreError);
  await Promise.all([claimStore(store, db), claimStore(store, db)]);
  await checkLibraryMarker(store, db);
  await addItems({ db, ...library }, 3);
  await claimStore(store, db);
  const { store: other } = await openStore(t);
  await assert.rejects(
    claimStore(other, db),
    /no library marker, and contains only 0 of 3 sampled originals.*mount its disk/,
  );
  await assert.rejects(checkLibraryMarker(other, db), WrongStoreError);
  await rejectForeignStore(other, db);
  await rename(root, `${root}-away`);
  // An unavailable store must not count as a store without a marker.
  await assert.rejects(checkLibraryMarker(store, db), StoreError);
  await assert.rejects(claimStore(store, db), StoreError);
  await rename(`${root}-away`, root);
  await claimStore(store, db);
});

test('marks a store that predates markers if at least half of the sampled originals are in it', async (t) => {
  const [library, { store, root }] = [await openLibrary(t), await openStore(t)];
  const keys = await addItems(library, 4);
  await put(store, keys[0]!);
  await assert.rejects(claimStore(store, library.db), /only 1 of 4 sampled originals/);
  await put(store, keys[1]!);
  await claimStore(store, library.db);
  await checkLibraryMarker(store, library.db);
  await rm(join(root, markerKey));
  await claimStore(await openFolderStore(root), library.db);
});

test('rejects the store of another library unless it is empty or assigned with takeOverStore', async (t) => {
  const [first, second] = [await openLibrary(t), await openLibrary(t)];
  const { store } = await openStore(t);
  await claimStore(store, first.db);
  await claimStore(store, second.db);
  await assert.rejects(checkLibraryMarker(store, first.db), /the object store belongs to library/);
  await put(store, originalKey(randomUUID(), randomUUID()));
  await assert.rejects(claimStore(store, first.db), /belongs to library .*--take-over/);
  await assert.rejects(rejectForeignStore(store, first.db), WrongStoreError);
  await takeOverStore(store, first.db);
  await claimStore(store, first.db);
  await assert.rejects(claimStore(store, second.db), WrongStoreError);
});

test('creates no folder before the store is claimed, and refuses a folder that replaces it', async (t) => {
  const [{ db, ...library }, { outside }] = [await openLibrary(t), await openStore(t)];
  const root = join(outside, 'objects');
  const open = (): Promise<ObjectStore> => openFolderStore(root);
  const [key] = await addItems({ db, ...library }, 3);
  await assert.rejects(claimStore(await open(), db), WrongStoreError);
  await assert.rejects(put(await open(), key!), StoreError);
  assert.deepEqual(await readdir(outside), []);

  await db.deleteFrom('users').execute();
  const store = await open();
  await claimStore(store, db);
  await put(store, key!);
  const writeId = await store.beginParts(key!);
  const other = await openFolderStore(join(outside, 'other'));
  for (const marker of ['missing', "another library's"]) {
    if (marker === 'missing') await other.claim();
    else await takeOverStore(other, (await openLibrary(t)).db);
    await rename(root, `${root}-away`);
    await rename(join(outside, 'other'), root);
    const refusal = { name: 'StoreError', message: /has no marker of this library/ };
    await assert.rejects(put(store, key!), refusal, marker);
    await assert.rejects(store.stat(key!), refusal);
    await assert.rejects(store.beginParts(key!), refusal);
    await assert.rejects(store.putPart(key!, writeId, { number: 1, offset: 0 }, Buffer.alloc(1)), refusal);
    await assert.rejects(store.remove([key!]), refusal);
    assert.deepEqual(await readdir(join(root, '.unfinished')), []);
    await rename(root, join(outside, 'other'));
    await rename(`${root}-away`, root);
  }
  await put(store, key!);
});
