import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { countCollectionItems } from '../../lists/collections.ts';
import { mergePeople } from './mergePeople.ts';
import { listPeople, updatePerson, deleteUnusedPeople } from './queries.ts';
import { rejectFaces } from './rejectFaces.ts';
import { returnFaces } from './returnFaces.ts';
import { separatePeople } from './separatePeople.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 10 });
after(drop);

const all = { limit: 200, start: { number: 1 } };

/** Creates a user with people whose faces derive from a seed, and helpers to add photos of them. */
const setUp = async (seed: number, count: number) => {
  const { id: userId } = await buildUser(db);
  const random = createRandom(seed);
  const generator = makeFaceGenerator(seed);
  const looks = Array.from({ length: count }, generator.person);
  const owners = new Map<string, number>();
  /** Adds a photo of these people, by number, each with a good face unless `isFounding` is false. */
  const photo = async (who: readonly number[], isFounding = true): Promise<string> => {
    const item = await buildMediaItem(db, userId);
    const seen = who.map((nth, place) =>
      makeDetectedFace(item, generator.makeFace(looks[nth]!, 0.9), {
        place,
        isFounding,
        quality: random.between(0.1, 1),
      }),
    );
    await recognise(db, item, seen);
    const rows = await db
      .selectFrom('faces')
      .selectAll()
      .where('media_item_id', '=', item.id)
      .orderBy('box_left')
      .execute();
    for (const [at, face] of rows.entries()) owners.set(face.id, who[at]!);
    return item.id;
  };
  const facesOf = async () =>
    db
      .selectFrom('faces')
      .innerJoin('media_items', 'media_items.id', 'media_item_id')
      .select(['faces.id', 'person_id', 'media_item_id'])
      .where('user_id', '=', userId)
      .orderBy('faces.id')
      .execute();
  const personOf = async (item: string): Promise<string> =>
    (await facesOf()).find((face) => face.media_item_id === item)!.person_id!;
  return { userId, random, photo, facesOf, personOf, owners };
};

/** All stored data about a user's people except the time of the last change. */
const readPeople = async (userId: string) => {
  const people = await db
    .selectFrom('people')
    .innerJoin('collections', 'collections.id', 'people.id')
    .select(['people.id', 'name', 'is_hidden', 'cover_id', 'created_at'])
    .where('people.user_id', '=', userId)
    .orderBy('people.id')
    .execute();
  const faces = await db
    .selectFrom('faces')
    .innerJoin('media_items', 'media_items.id', 'media_item_id')
    .select(['faces.id', 'person_id', 'joined_at'])
    .where('user_id', '=', userId)
    .orderBy('faces.id')
    .execute();
  const rejections = await db
    .selectFrom('face_rejections')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['face_id', 'person_id', 'face_rejections.created_at'])
    .where('user_id', '=', userId)
    .orderBy('face_id')
    .orderBy('person_id')
    .execute();
  const lists = [];
  for (const isHidden of [false, true]) {
    const { entries, totalCount } = await listPeople(db, userId, isHidden, all);
    const counts = await Promise.all(entries.map(({ id }) => countCollectionItems(db, id)));
    lists.push(totalCount, ...entries.map(({ id, cover }, at) => [id, cover.id, counts[at]]));
  }
  return { people, faces, rejections, lists };
};

const cases = fc.record({ seed: fc.nat({ max: 1_000_000 }), people: fc.integer({ min: 3, max: 6 }) });

test('reverts any merges in any order to the previous state', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ seed, people: count }) => {
      const { userId, random, photo, facesOf } = await setUp(seed, count);
      for (let nth = 0; nth < 2 * count; nth++) {
        const who = [nth % count, random.below(count)];
        await photo(random.chance(0.4) ? [...new Set(who)] : [who[0]!], nth < count || random.chance(0.7));
      }
      await changePeople(userId, random);
      const before = await readPeople(userId);
      const merges: { readonly into: string; readonly id: string }[] = [];
      const alive = random.shuffle((await listPeople(db, userId, false, all)).entries.map(({ id }) => id));
      while (alive.length > 1 && random.chance(0.85)) {
        const gone = alive.splice(0, Math.min(1 + random.below(2), alive.length - 1));
        const into = random.pick(alive);
        await mergePeople(db, userId, into, gone);
        merges.push(...gone.map((id) => ({ into, id })));
      }
      assert.ok((await facesOf()).every(({ person_id }) => merges.every(({ id }) => id !== person_id)));
      const remaining = random.shuffle(merges);
      while (remaining.length > 0) {
        // A merge into a person who is merged as well can be reverted only after that person is restored.
        const at = remaining.findIndex(({ into }) => remaining.every(({ id }) => id !== into));
        const [next] = remaining.splice(at, 1);
        await separatePeople(db, userId, next!.into, [next!.id]);
        await separatePeople(db, userId, next!.into, [next!.id]);
      }
      assert.deepEqual(await readPeople(userId), before);
      assert.deepEqual(await findAllCollectionCountErrors(db), []);
      for (const table of ['merged_people', 'merged_faces', 'merged_rejections'] as const)
        assert.equal((await db.selectFrom(table).selectAll().execute()).length, 0, table);
    }),
    // The examples have faces that were rejected for two of the people before the merge.
    {
      numRuns: runs(15),
      examples: [[{ seed: 541_964, people: 3 }], [{ seed: 668_386, people: 4 }]],
    },
  );
});

/** Names and hides people, chooses covers and rejects faces. */
const changePeople = async (userId: string, random: ReturnType<typeof createRandom>): Promise<void> => {
  const { entries } = await listPeople(db, userId, false, all);
  for (const { id, cover } of entries) {
    if (random.chance(0.5)) await updatePerson(db, userId, id, { name: random.pick(['Ada', 'Bea', 'Cleo']) });
    if (random.chance(0.4)) await updatePerson(db, userId, id, { coverMediaItemId: cover.media_item_id });
    if (random.chance(0.3)) await rejectFaces(db, userId, id, [cover.media_item_id]);
  }
  const [hidden] = (await listPeople(db, userId, false, all)).entries;
  if (hidden !== undefined && random.chance(0.3)) await updatePerson(db, userId, hidden.id, { hidden: true });
};

test('assigns photos added after a merge as if it had not happened', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ seed, people: count }) => {
      const { userId, random, photo, facesOf, owners } = await setUp(seed, count);
      for (let nth = 0; nth < count; nth++) await photo([nth]);
      const ids = (await facesOf()).map(({ person_id }) => person_id!);
      const [into, ...others] = random.shuffle(ids) as [string, ...string[]];
      const gone = others.slice(0, 2);
      await mergePeople(db, userId, into, gone);
      // Some people appear much more often, and the others must still be recognized.
      for (let nth = 0; nth < 10; nth++)
        await photo([...new Set([random.below(count), random.below(2)])], random.chance(0.7));
      await separatePeople(db, userId, into, random.shuffle(gone));
      const people = Map.groupBy(await facesOf(), ({ person_id }) => person_id);
      for (const faces of people.values()) assert.equal(new Set(faces.map(({ id }) => owners.get(id))).size, 1);
      assert.deepEqual(new Set(people.keys()), new Set(ids));
      assert.deepEqual(await findAllCollectionCountErrors(db), []);
      // Both are recognized as before.
      for (let nth = 0; nth < count; nth++) await photo([nth]);
      for (const faces of Map.groupBy(await facesOf(), ({ person_id }) => person_id).values())
        assert.equal(new Set(faces.map(({ id }) => owners.get(id))).size, 1);
    }),
    { numRuns: runs(10) },
  );
});

test('keeps later changes of the user when a merge is reverted', async () => {
  const { userId, photo, personOf } = await setUp(21, 3);
  const [first, second, third, more] = [await photo([0]), await photo([1]), await photo([2]), await photo([1])];
  const [ada, bea, cleo] = [await personOf(first), await personOf(second), await personOf(third)];
  await updatePerson(db, userId, bea, { name: 'Bea' });
  await mergePeople(db, userId, ada, [bea, cleo]);
  assert.equal((await listPeople(db, userId, false, all)).totalCount, 1);
  // A new name, a rejected face, a rejected and returned face, and a deleted photo.
  await updatePerson(db, userId, ada, { name: 'Ada' });
  await rejectFaces(db, userId, ada, [more]);
  await rejectFaces(db, userId, ada, [second]);
  await returnFaces(db, userId, ada, [second]);
  await db.deleteFrom('media_items').where('id', '=', third).execute();
  await separatePeople(db, userId, ada, [bea, cleo]);
  const somebody = await personOf(more);
  assert.ok(![ada, bea, cleo].includes(somebody));
  assert.deepEqual([await personOf(first), await personOf(second)], [ada, bea]);
  const { entries } = await listPeople(db, userId, false, all);
  assert.deepEqual(
    entries.map(({ id, name }) => [id, name]),
    [
      [ada, 'Ada'],
      [bea, 'Bea'],
      [somebody, null],
    ],
  );
  const { rejections } = await readPeople(userId);
  assert.deepEqual(
    rejections.map(({ person_id }) => person_id).toSorted(),
    [ada, bea].toSorted(),
    'the removed face belongs to neither person',
  );
});

test('a name returns with its person, and nested merges are reverted in order', async () => {
  const { userId, photo, personOf } = await setUp(22, 3);
  const [ada, bea, cleo] = [
    await personOf(await photo([0])),
    await personOf(await photo([1])),
    await personOf(await photo([2])),
  ];
  const nameOf = async (id: string) =>
    (await db.selectFrom('people').select('name').where('id', '=', id).executeTakeFirst())?.name;
  await updatePerson(db, userId, bea, { name: 'Bea' });
  await mergePeople(db, userId, ada, [bea]);
  await mergePeople(db, userId, cleo, [ada]);
  assert.equal(await nameOf(cleo), 'Bea');
  await assert.rejects(separatePeople(db, userId, cleo, [bea]), NotFoundError);
  await separatePeople(db, userId, cleo, [ada]);
  assert.deepEqual([await nameOf(cleo), await nameOf(ada)], [null, 'Bea']);
  await assert.rejects(separatePeople(db, userId, cleo, [bea]), NotFoundError);
  await separatePeople(db, userId, ada, [bea]);
  assert.deepEqual([await nameOf(ada), await nameOf(bea)], [null, 'Bea']);
});

test('reverts a merge into a person whom the worker merged into another one meanwhile', async () => {
  const { userId, photo, personOf, facesOf } = await setUp(23, 2);
  const generator = makeFaceGenerator(24);
  const [left, right] = [generator.person(), generator.person()];
  const see = async (embedding: Float32Array): Promise<string> => {
    const item = await buildMediaItem(db, userId);
    await recognise(db, item, [makeDetectedFace(item, embedding)]);
    return item.id;
  };
  const [one, two, other] = [await see(left), await see(right), await photo([0])];
  const [stays, goes, merged] = [await personOf(one), await personOf(two), await personOf(other)];
  await mergePeople(db, userId, goes, [merged]);
  // A face similar to both merges them.
  await see(
    generator.makeFace(
      left.map((value, i) => (value + right[i]!) / Math.SQRT2),
      0.99,
    ),
  );
  assert.deepEqual(new Set((await facesOf()).map(({ person_id }) => person_id)), new Set([stays]));
  await separatePeople(db, userId, stays, [merged]);
  assert.deepEqual([await personOf(two), await personOf(other)], [stays, merged]);
});

test('separates no one for another user, an unknown id, or if one of the people does not exist', async () => {
  const { userId, photo, personOf } = await setUp(25, 2);
  const [ada, bea] = [await personOf(await photo([0])), await personOf(await photo([1]))];
  await mergePeople(db, userId, ada, [bea]);
  const stranger = await setUp(26, 1);
  const theirs = await stranger.personOf(await stranger.photo([0]));
  for (const [who, id, others] of [
    [stranger.userId, ada, [bea]],
    [stranger.userId, theirs, [bea]],
    [userId, ada, [bea, theirs]],
    [userId, ada, [bea, randomUUID()]],
    [userId, bea, [ada]],
  ] as const)
    await assert.rejects(separatePeople(db, who, id, others), NotFoundError);
  assert.equal((await listPeople(db, userId, false, all)).totalCount, 1);
  await separatePeople(db, userId, ada, [bea, ada]);
  assert.equal((await listPeople(db, userId, false, all)).totalCount, 2);
});

test('deletes the record of a merged person without faces', async () => {
  const { userId, photo, personOf } = await setUp(27, 2);
  const [first, second] = [await photo([0]), await photo([1])];
  const [ada, bea] = [await personOf(first), await personOf(second)];
  await updatePerson(db, userId, bea, { name: 'Bea' });
  await mergePeople(db, userId, ada, [bea]);
  await db.deleteFrom('media_items').where('id', '=', second).execute();
  await deleteUnusedPeople(db);
  assert.deepEqual(await db.selectFrom('merged_people').select('id').where('id', '=', bea).execute(), []);
  await assert.rejects(separatePeople(db, userId, ada, [bea]), NotFoundError);
});
