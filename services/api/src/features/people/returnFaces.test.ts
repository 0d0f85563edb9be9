import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { getPerson, updatePerson, deleteUnusedPeople } from './queries.ts';
import { rejectFaces } from './rejectFaces.ts';
import { returnFaces } from './returnFaces.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

/** Creates a user with three photos of one person: two good faces and a poor one. */
const setUp = async (seed: number) => {
  const { id: userId } = await buildUser(db);
  const generator = makeFaceGenerator(seed);
  const look = generator.person();
  const items: string[] = [];
  for (const isFounding of [true, true, false]) {
    const item = await buildMediaItem(db, userId);
    await recognise(db, item, [makeDetectedFace(item, generator.makeFace(look, 0.9), { isFounding })]);
    items.push(item.id);
  }
  const people = async (): Promise<(string | null)[]> => {
    const faces = await db
      .selectFrom('faces')
      .select(['media_item_id', 'person_id'])
      .where('media_item_id', 'in', items)
      .execute();
    return items.map((id) => faces.find((face) => face.media_item_id === id)!.person_id);
  };
  const likenesses = async () =>
    db
      .selectFrom('face_embeddings')
      .select(['face_id', 'likeness'])
      .where('user_id', '=', userId)
      .orderBy('face_id')
      .execute();
  const id = (await people())[0]!;
  return { userId, items, people, likenesses, id };
};

test('returns rejected faces to the person, and deletes people left without faces', async () => {
  const { userId, items, people, likenesses, id } = await setUp(31);
  const [first, second, poor] = items as [string, string, string];
  const before = await likenesses();
  await rejectFaces(db, userId, id, [second, poor]);
  const [, somebody, other] = await people();
  assert.ok(![somebody, other].includes(id));
  // A face that was never rejected is ignored.
  await returnFaces(db, userId, id, items);
  assert.deepEqual(await people(), [id, id, id]);
  assert.equal((await getPerson(db, userId, id)).id, id);
  await assert.rejects(getPerson(db, userId, somebody!), NotFoundError);
  const round = (rows: typeof before) => rows.map(({ face_id, likeness }) => [face_id, likeness?.toFixed(2)]);
  assert.deepEqual(round(await likenesses()), round(before));
  await returnFaces(db, userId, id, [first]);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('restores a person without faces with the name within a day, and deletes the person after that', async () => {
  const { userId, items, people, id } = await setUp(32);
  await updatePerson(db, userId, id, { name: 'Ada' });
  await rejectFaces(db, userId, id, items);
  await deleteUnusedPeople(db);
  await assert.rejects(getPerson(db, userId, id), NotFoundError);
  await returnFaces(db, userId, id, items);
  assert.deepEqual(await people(), [id, id, id]);
  assert.equal((await getPerson(db, userId, id)).name, 'Ada');
  await rejectFaces(db, userId, id, items);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await db.updateTable('face_rejections').set({ created_at: yesterday }).where('person_id', '=', id).execute();
  await deleteUnusedPeople(db);
  await assert.rejects(returnFaces(db, userId, id, items), NotFoundError);
});

test('returns nothing for another user, or if one of the items does not exist', async () => {
  const { userId, items, people, id } = await setUp(33);
  const stranger = await setUp(34);
  await rejectFaces(db, userId, id, [items[1]!]);
  for (const [who, wanted] of [
    [stranger.userId, [items[1]!]],
    [userId, [items[1]!, stranger.items[0]!]],
    [userId, [items[1]!, randomUUID()]],
  ] as const)
    await assert.rejects(returnFaces(db, who, id, wanted), NotFoundError);
  assert.notEqual((await people())[1], id);
});
