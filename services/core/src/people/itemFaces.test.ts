import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { NotFoundError } from '../log/errors.ts';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import type { Database } from '../db/database.ts';
import type { FoundFace } from './itemFaces.ts';
import { mergePeople } from '@hearth/api/features/people/mergePeople.ts';
import { listPeople, listPeopleOfItem, updatePerson, deleteUnusedPeople } from '@hearth/api/features/people/queries.ts';
import { deleteRemovedItems } from '@hearth/api/features/trash/removal.ts';
import type { MediaItemRow } from '../db/schema.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const all = { limit: 200, start: { number: 1 } };

const getFaces = async (item: MediaItemRow) =>
  db
    .selectFrom('faces')
    .select(['id', 'person_id as personId', 'box_left as left', 'quality', 'thumbnail_key as key', 'visibility'])
    .where('media_item_id', '=', item.id)
    .orderBy('box_left')
    .execute();

const getPersonIds = async ({ user_id, id }: MediaItemRow): Promise<string[]> =>
  (await listPeopleOfItem(db, user_id, id, all)).entries.map(({ row }) => row.id).toSorted();

test('creates people for unknown faces, and changes nothing for the same faces', async () => {
  const item = await buildMediaItem(db, (await buildUser(db)).id);
  await writeFaces(db, item, [makeFace(item), makeFace(item, { place: 1 })]);
  const [first, second] = await getFaces(item);
  assert.notEqual(first!.personId, second!.personId);
  assert.deepEqual(await getPersonIds(item), [first!.personId!, second!.personId!].toSorted());
  await writeFaces(db, item, [makeFace(item, { place: 1 }), makeFace(item)]);
  assert.deepEqual(await getFaces(item), [first, second]);
});

test('replaces people, quality and pictures of the faces found before', async () => {
  const [one, other] = [await buildUser(db), await buildUser(db)].map(({ id }) => id);
  const [item, portrait] = [await buildMediaItem(db, one!), await buildMediaItem(db, one!)];
  await writeFaces(db, portrait, [makeFace(portrait)]);
  const [person] = await getPersonIds(portrait);
  await writeFaces(db, item, [makeFace(item), makeFace(item, { place: 1 })]);
  const [left, right] = await getFaces(item);
  const moved: FoundFace = { ...makeFace(item, { personId: person!, quality: 0.7 }), thumbnailKey: 'another' };
  await writeFaces(db, item, [moved]);
  assert.deepEqual(await getFaces(item), [{ ...left!, personId: person, quality: 0.7, key: 'another' }]);
  assert.deepEqual(await getPersonIds(item), [person]);
  const people = await db.selectFrom('people').select('id').where('user_id', '=', one!).execute();
  assert.deepEqual(people, [{ id: person }], `${right!.personId} has no faces left and is deleted`);
  await writeFaces(db, item, []);
  assert.deepEqual(await getPersonIds(item), []);
  for (const personId of [randomUUID(), left!.personId]) {
    await assert.rejects(writeFaces(db, item, [makeFace(item, { personId })]), NotFoundError);
  }
  const theirs = await buildMediaItem(db, other!);
  await assert.rejects(writeFaces(db, theirs, [makeFace(theirs, { personId: person! })]), NotFoundError);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('keeps faces of trashed and hidden items, and shows them again with the item', async () => {
  const { id: userId } = await buildUser(db);
  const item = await buildMediaItem(db, userId);
  await setTrashed(db, userId, [item.id], true);
  await writeFaces(db, item, [makeFace(item)]);
  assert.deepEqual(await listPeople(db, userId, false, all), {
    entries: [],
    next: undefined,
    totalCount: 0,
  });
  await setTrashed(db, userId, [item.id], false);
  const { entries: people } = await listPeople(db, userId, false, all);
  assert.deepEqual(
    people.map(({ cover }) => [cover.media_item_id, cover.visibility]),
    [[item.id, 'visible']],
  );
});

test('deletes a person with their last item, name included', async () => {
  const { id: userId } = await buildUser(db);
  const [gone, kept] = [await buildMediaItem(db, userId), await buildMediaItem(db, userId)];
  for (const item of [gone, kept]) await writeFaces(db, item, [makeFace(item)]);
  for (const item of [gone, kept]) await updatePerson(db, userId, (await getPersonIds(item))[0]!, { name: 'Ada' });
  await setTrashed(db, userId, [gone.id], true);
  await deleteUnusedPeople(db);
  assert.equal((await getPersonIds(gone)).length, 1);
  await markForRemoval(db, userId, gone.id);
  await deleteRemovedItems(db, [gone.id]);
  await deleteUnusedPeople(db);
  const people = await db.selectFrom('people').select('id').where('user_id', '=', userId).execute();
  assert.deepEqual(
    people.map(({ id }) => id),
    await getPersonIds(kept),
  );
});

/** Recognizes people as a component does, except that faces at one position are the same person. */
const recognise = (item: MediaItemRow, places: readonly number[]) => async (trx: Database) =>
  Promise.all(
    places.map(async (place) => {
      const { box } = makeFace(item, { place });
      const samePlace = await trx
        .selectFrom('faces')
        .innerJoin('people', 'people.id', 'person_id')
        .select('person_id')
        .where('user_id', '=', item.user_id)
        .where('box_left', '=', box.left)
        .executeTakeFirst();
      return makeFace(item, { place, personId: samePlace?.person_id ?? null });
    }),
  );

test('splits no person while faces are written, people are merged and items are trashed concurrently', async () => {
  const { id: userId } = await buildUser(db);
  const items = await Promise.all(Array.from({ length: 24 }, () => buildMediaItem(db, userId)));
  const written = items.map((item, index) => writeFaces(db, item, recognise(item, [index % 3, 3 + (index % 2)])));
  const trashed = [true, false].map((isTrashed) =>
    setTrashed(
      db,
      userId,
      items.filter((_, index) => index % 2 === 0).map(({ id }) => id),
      isTrashed,
    ),
  );
  await Promise.all([...written, ...trashed]);
  const places = await db
    .selectFrom('faces')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['box_left', 'person_id'])
    .distinct()
    .where('user_id', '=', userId)
    .execute();
  assert.equal(places.length, 5, 'one person for each place');
  const ids = places.map((place) => place.person_id!);
  const again = items.map((item, index) => writeFaces(db, item, recognise(item, [index % 3, 3 + (index % 2)])));
  // People merged by one call are missing for the other.
  const merged = [ids.slice(0, 3), ids.slice(0, 3).toReversed()].map(async ([id, ...others]) =>
    mergePeople(db, userId, id!, others).catch((error: unknown) => assert.ok(error instanceof NotFoundError)),
  );
  await Promise.all([...again, ...merged, setTrashed(db, userId, [items[0]!.id], true)]);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
  for (const item of items) assert.equal((await getFaces(item)).length, 2);
  const { totalCount } = await listPeople(db, userId, false, all);
  assert.equal(totalCount, 3);
});
