import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import type { MediaItemRow } from '../db/schema.ts';
import { deleteRemovedItems, listExistingItems } from '@hearth/api/features/trash/removal.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { deletePeopleOfUser } from '@hearth/api/features/people/deletePeople.ts';
import { mergePeople } from '@hearth/api/features/people/mergePeople.ts';
import {
  getPerson,
  listPeople,
  listPeopleOfItem,
  updatePerson,
  deleteUnusedPeople,
} from '@hearth/api/features/people/queries.ts';
import { rejectFaces } from '@hearth/api/features/people/rejectFaces.ts';
import { separatePeople } from '@hearth/api/features/people/separatePeople.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const all = { limit: 200, start: { number: 1 } };

/** Creates a user with a photo of each of `count` people, processed by `FACES`. */
const setUp = async (seed: number, count: number) => {
  const { id: userId } = await buildUser(db);
  const generator = makeFaceGenerator(seed);
  const photos: { readonly item: MediaItemRow; readonly look: Float32Array }[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const item = await buildMediaItem(db, userId);
    photos.push({ item, look: generator.person() });
    await recognise(db, item, [makeDetectedFace(item, photos[nth]!.look)]);
  }
  /** Runs a version that finds nothing on the photo. */
  const miss = async (nth: number): Promise<void> => recognise(db, photos[nth]!.item, []);
  /** Runs a version that finds a slightly different face, in the same place or elsewhere. */
  const find = async (nth: number, place = 0): Promise<void> => {
    const { item, look } = photos[nth]!;
    await recognise(db, item, [makeDetectedFace(item, generator.makeFace(look, 0.9), { place })]);
  };
  const personOn = async (nth: number): Promise<string | null> => {
    const { item } = photos[nth]!;
    const rows = await db.selectFrom('faces').selectAll().where('media_item_id', '=', item.id).execute();
    const shown = rows.filter(({ visibility }) => visibility !== 'missed');
    assert.equal(shown.length, 1);
    assert.deepEqual(
      (await listPeopleOfItem(db, userId, item.id, all)).entries.map(({ row }) => row.id),
      shown[0]!.person_id === null ? [] : [shown[0]!.person_id],
    );
    return shown[0]!.person_id;
  };
  const listed = async (): Promise<string[]> =>
    (await listPeople(db, userId, false, all)).entries.map(({ id }) => id).toSorted();
  return { userId, generator, photos, miss, find, personOn, listed };
};

test('keeps a named person whose only face is missed, hides them from lists, and recognizes them again', async () => {
  const { userId, generator, photos, miss, find, personOn, listed } = await setUp(51, 2);
  const ada = (await personOn(0))!;
  await updatePerson(db, userId, ada, { name: 'Ada' });
  const kept = async () => (await listExistingItems(db, [photos[0]!.item.id]))[0]!.renditionKeys;
  assert.equal((await kept()).length, 1);
  for (let version = 2; version < 4; version += 1) await miss(0);
  await deleteUnusedPeople(db);
  assert.deepEqual(await listed(), [await personOn(1)]);
  assert.deepEqual((await listPeopleOfItem(db, userId, photos[0]!.item.id, all)).entries, []);
  assert.deepEqual(await kept(), [], 'the picture of the face is not kept');
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
  // Another photo of the person is added meanwhile.
  const item = await buildMediaItem(db, userId);
  await recognise(db, item, [makeDetectedFace(item, generator.makeFace(photos[0]!.look, 0.9))]);
  assert.equal((await getPerson(db, userId, ada)).cover.media_item_id, item.id);
  await find(0);
  assert.equal(await personOn(0), ada);
  assert.equal((await getPerson(db, userId, ada)).name, 'Ada');
  assert.equal((await kept()).length, 1);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('keeps face and person when the box moves in a later version', async () => {
  const { userId, find, personOn } = await setUp(52, 1);
  const ada = (await personOn(0))!;
  await updatePerson(db, userId, ada, { name: 'Ada' });
  await find(0, 1);
  assert.equal(await personOn(0), ada);
  assert.equal((await db.selectFrom('people').select('id').where('user_id', '=', userId).execute()).length, 1);
});

test('keeps merged people together while their faces are missed, and can still undo the merge', async () => {
  const { userId, miss, find, personOn } = await setUp(53, 2);
  const [one, other] = [(await personOn(0))!, (await personOn(1))!];
  await mergePeople(db, userId, one, [other]);
  for (const nth of [1, 0]) await miss(nth);
  for (const nth of [0, 1]) await find(nth);
  assert.deepEqual([await personOn(0), await personOn(1)], [one, one]);
  await miss(1);
  await separatePeople(db, userId, one, [other]);
  await find(1);
  assert.deepEqual([await personOn(0), await personOn(1)], [one, other]);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test("keeps a removed face out of the person while either's faces are missed and found again", async () => {
  const { userId, generator, photos, miss, find, personOn } = await setUp(54, 1);
  const item = await buildMediaItem(db, userId);
  const similarFace = makeDetectedFace(item, generator.makeFace(photos[0]!.look, 0.9));
  await recognise(db, item, [similarFace]);
  const ada = (await personOn(0))!;
  const getOwner = async (): Promise<string | null> =>
    (await db.selectFrom('faces').select('person_id').where('media_item_id', '=', item.id).executeTakeFirstOrThrow())
      .person_id;
  assert.equal(await getOwner(), ada);
  await rejectFaces(db, userId, ada, [item.id]);
  const otherPerson = (await getOwner())!;
  await recognise(db, item, []);
  await recognise(db, item, [similarFace]);
  assert.equal(await getOwner(), otherPerson);
  // From here on, only the removal keeps the two people: they have no other user input.
  await miss(0);
  await recognise(db, item, []);
  await find(0);
  await recognise(db, item, [similarFace]);
  assert.deepEqual([await personOn(0), await getOwner()], [ada, otherPerson]);
});

test('keeps hidden people and chosen covers', async () => {
  const { userId, photos, generator, miss, find, personOn, listed } = await setUp(55, 2);
  const [hidden, covered] = [(await personOn(0))!, (await personOn(1))!];
  const better = await buildMediaItem(db, userId);
  await recognise(db, better, [makeDetectedFace(better, generator.makeFace(photos[1]!.look, 0.9), { quality: 0.9 })]);
  await updatePerson(db, userId, covered, { coverMediaItemId: photos[1]!.item.id });
  await updatePerson(db, userId, hidden, { hidden: true });
  const getCover = async () => (await getPerson(db, userId, covered)).cover.media_item_id;
  for (const nth of [0, 1]) await miss(nth);
  assert.equal(await getCover(), better.id);
  await recognise(db, better, []);
  assert.deepEqual(await listed(), []);
  for (const nth of [0, 1]) await find(nth);
  await recognise(db, better, [makeDetectedFace(better, generator.makeFace(photos[1]!.look, 0.9), { quality: 0.9 })]);
  assert.equal(await getCover(), photos[1]!.item.id);
  assert.deepEqual(await listed(), [covered]);
  assert.deepEqual(
    (await listPeople(db, userId, true, all)).entries.map(({ id, cover }) => [id, cover.media_item_id]),
    [[hidden, photos[0]!.item.id]],
  );
});

test('keeps a chosen cover when two people turn out to be one', async () => {
  const { userId, photos, personOn } = await setUp(56, 2);
  await updatePerson(db, userId, (await personOn(1))!, { coverMediaItemId: photos[1]!.item.id });
  const item = await buildMediaItem(db, userId);
  const between = photos[0]!.look.map((value, i) => (value + photos[1]!.look[i]!) / Math.SQRT2);
  await recognise(db, item, [makeDetectedFace(item, between, { quality: 0.9 })]);
  const both = (await personOn(0))!;
  assert.equal(await personOn(1), both);
  assert.equal((await getPerson(db, userId, both)).cover.media_item_id, photos[1]!.item.id);
});

const countRows = async (userId: string) => {
  const embeddings = await db.selectFrom('face_embeddings').select('face_id').where('user_id', '=', userId).execute();
  const faces = await db
    .selectFrom('faces')
    .innerJoin('media_items', 'media_items.id', 'media_item_id')
    .select('faces.id')
    .where('user_id', '=', userId)
    .execute();
  const people = await db.selectFrom('people').select('id').where('user_id', '=', userId).execute();
  return [embeddings.length, faces.length, people.length];
};

test('deletes a missed face without user input, with its person', async () => {
  const { userId, miss } = await setUp(57, 1);
  await miss(0);
  assert.deepEqual(await countRows(userId), [0, 0, 0]);
});

test('deletes missed faces with their item, and with all people of the user', async () => {
  const { userId, photos, miss, personOn } = await setUp(58, 3);
  for (const nth of [0, 1, 2]) await updatePerson(db, userId, (await personOn(nth))!, { name: `Person ${nth}` });
  for (const nth of [0, 1, 2]) await miss(nth);
  assert.deepEqual(await countRows(userId), [3, 3, 3]);
  const gone = photos[0]!.item.id;
  await setTrashed(db, userId, [gone], true);
  const visibilities = await db.selectFrom('faces').select('visibility').where('media_item_id', '=', gone).execute();
  assert.deepEqual(visibilities, [{ visibility: 'missed' }]);
  await markForRemoval(db, userId, gone);
  await deleteRemovedItems(db, [gone]);
  await deleteUnusedPeople(db);
  assert.deepEqual(await countRows(userId), [2, 2, 2]);
  await deletePeopleOfUser(db, userId);
  assert.deepEqual(await countRows(userId), [0, 0, 0]);
});
