import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { makeFace, writeFaces } from '@hearth/testkit/rows/faces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { countCollectionItems } from '../../lists/collections.ts';
import { mergePeople } from './mergePeople.ts';
import { getPerson, listPeople, updatePerson } from './queries.ts';
import { setTrashed } from '../../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

/** Creates a user with some people, each on a separate photo, and one photo with all of them. */
const setUp = async (count: number) => {
  const { id: userId } = await buildUser(db);
  const together = await buildMediaItem(db, userId);
  await writeFaces(
    db,
    together,
    Array.from({ length: count }, (_, place) => makeFace(together, { place, quality: place / 10 })),
  );
  const faces = await db
    .selectFrom('faces')
    .select('person_id')
    .where('media_item_id', '=', together.id)
    .orderBy('box_left')
    .execute();
  const ids = faces.map((face) => face.person_id);
  const portraits = await Promise.all(ids.map(() => buildMediaItem(db, userId)));
  for (const [index, item] of portraits.entries()) {
    await writeFaces(db, item, [makeFace(item, { personId: ids[index]!, quality: 0.5 + index / 10 })]);
  }
  return { userId, ids, together, portraits };
};

const itemCount = async (id: string): Promise<number> => countCollectionItems(db, id);

test('merges people with all items once, the best face and the first name', async () => {
  const { userId, ids, portraits } = await setUp(4);
  const [first, second, third, fourth] = ids as [string, string, string, string];
  await updatePerson(db, userId, third, { name: 'Ada' });
  await updatePerson(db, userId, second, { name: 'Bea' });
  await mergePeople(db, userId, first, [first, third, second]);
  const person = await getPerson(db, userId, first);
  assert.deepEqual([person.name, person.cover.media_item_id], ['Ada', portraits[2]!.id]);
  assert.equal(await itemCount(first), 4);
  const { entries: people } = await listPeople(db, userId, false, { limit: 9, start: { number: 1 } });
  assert.deepEqual(
    people.map(({ id }) => id),
    [first, fourth],
  );
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('the remaining person keeps name, cover and visibility', async () => {
  const { userId, ids, together, portraits } = await setUp(3);
  const [first, second, third] = ids as [string, string, string];
  await updatePerson(db, userId, first, { name: 'Ada', coverMediaItemId: portraits[0]!.id });
  await updatePerson(db, userId, second, { name: 'Bea', hidden: true, coverMediaItemId: together.id });
  await mergePeople(db, userId, first, [second]);
  const person = await getPerson(db, userId, first);
  assert.deepEqual([person.name, person.is_hidden, person.cover.media_item_id], ['Ada', false, portraits[0]!.id]);
  await updatePerson(db, userId, first, { hidden: true });
  await mergePeople(db, userId, first, [third]);
  const hidden = await listPeople(db, userId, true, { limit: 9, start: { number: 1 } });
  assert.deepEqual([hidden.entries.map(({ id }) => id), hidden.totalCount], [[first], 1]);
  assert.equal(await itemCount(first), 4);
});

test('merges no one if one of the people does not exist', async () => {
  const { userId, ids, together, portraits } = await setUp(3);
  const [first, second, third] = ids as [string, string, string];
  const stranger = (await setUp(1)).ids[0]!;
  for (const missing of [randomUUID(), stranger]) {
    await assert.rejects(mergePeople(db, userId, first, [second, missing]), NotFoundError);
    await assert.rejects(mergePeople(db, userId, missing, [first]), NotFoundError);
  }
  await setTrashed(db, userId, [together.id, portraits[2]!.id], true);
  await assert.rejects(mergePeople(db, userId, first, [third]), NotFoundError);
  assert.deepEqual([await itemCount(first), await itemCount(second)], [1, 1]);
});

test('items in the trash during a merge are restored with the merged person', async () => {
  const { userId, ids, portraits, together } = await setUp(2);
  const [first, second] = ids as [string, string];
  await setTrashed(db, userId, [portraits[1]!.id], true);
  await mergePeople(db, userId, first, [second]);
  assert.equal(await itemCount(first), 2);
  await setTrashed(db, userId, [portraits[1]!.id], false);
  assert.equal(await itemCount(first), 3);
  assert.equal((await getPerson(db, userId, first)).cover.media_item_id, portraits[1]!.id);
  assert.notEqual(together.id, portraits[1]!.id);
});
