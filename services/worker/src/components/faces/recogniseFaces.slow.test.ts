import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { mergePeople } from '@hearth/api/features/people/mergePeople.ts';
import { updatePerson } from '@hearth/api/features/people/queries.ts';
import { rejectFaces } from '@hearth/api/features/people/rejectFaces.ts';
import type { DetectedFace } from './recogniseFaces.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 10 });
after(drop);

type TestFace = Pick<DetectedFace, 'embedding' | 'isFounding'>;

/** Photos of several people. Includes faces of one person that are similar only through other faces, and low-quality faces of people and strangers. */
const makePhotos = (seed: number): readonly (readonly TestFace[])[] => {
  const faces = makeFaceGenerator(seed);
  const random = createRandom(seed);
  const people = Array.from({ length: 4 }, faces.person);
  return Array.from({ length: 30 }, (_, photo) =>
    Array.from({ length: 1 + (photo % 3) }, (__, nth) => {
      const person = photo % 10 === 9 ? faces.person() : people[(photo + nth) % people.length]!;
      const isFounding = random.chance(0.7) && photo % 10 !== 9;
      return { embedding: faces.makeFace(person, random.between(0.62, 0.92)), isFounding };
    }),
  );
};

interface Library {
  readonly userId: string;
  readonly add: (photo: number) => Promise<void>;
  readonly ids: string[];
}

const buildLibrary = async (photos: readonly (readonly TestFace[])[]): Promise<Library> => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  const add = async (photo: number): Promise<void> => {
    const item = await buildMediaItem(db, userId);
    ids[photo] = item.id;
    await recognise(
      db,
      item,
      photos[photo]!.map(({ embedding, isFounding }, place) =>
        makeDetectedFace(item, embedding, { place, isFounding }),
      ),
    );
  };
  return { userId, ids, add };
};

/** Returns one line per person with its faces as `photo.place`, and one line, starting with `-`, with the faces without a person. */
const describe = async ({ ids, userId }: Library): Promise<readonly string[]> => {
  const faces = await db
    .selectFrom('faces')
    .innerJoin('media_items', 'media_items.id', 'media_item_id')
    .select(['media_item_id', 'person_id', 'box_left'])
    .where('user_id', '=', userId)
    .execute();
  const named = faces.map((face) => ({
    name: `${String(ids.indexOf(face.media_item_id)).padStart(2, '0')}.${face.box_left * 8}`,
    person: face.person_id ?? 'nobody',
  }));
  return [...Map.groupBy(named, ({ person }) => person)]
    .map(
      ([person, each]) =>
        `${person === 'nobody' ? '- ' : ''}${each
          .map(({ name }) => name)
          .toSorted()
          .join(' ')}`,
    )
    .toSorted();
};

test('finds the same people in 20 orders of upload', async () => {
  const photos = makePhotos(1);
  const random = createRandom(7);
  const outcomes = new Set<string>();
  for (let order = 0; order < 20; order += 1) {
    const library = await buildLibrary(photos);
    for (const photo of random.shuffle([...photos.keys()])) await library.add(photo);
    outcomes.add(JSON.stringify(await describe(library)));
  }
  assert.equal(outcomes.size, 1);
  const people = JSON.parse([...outcomes][0]!) as string[];
  assert.equal(people.filter((faces) => !faces.startsWith('-')).length, 4, people.join('\n'));
  assert.ok(
    people.some((faces) => faces.startsWith('-')),
    'unknown faces belong to no person',
  );
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('finds the same people with three workers in parallel, and when all items are reprocessed', async () => {
  const photos = makePhotos(2);
  const one = await buildLibrary(photos);
  for (const photo of photos.keys()) await one.add(photo);
  const expected = await describe(one);
  const many = await buildLibrary(photos);
  const left = createRandom(3).shuffle([...photos.keys()]);
  const work = async (): Promise<void> => {
    for (let photo = left.pop(); photo !== undefined; photo = left.pop()) await many.add(photo);
  };
  await Promise.all([work(), work(), work()]);
  assert.deepEqual(await describe(many), expected);
  const people = async () =>
    db.selectFrom('people').select('id').where('user_id', '=', many.userId).orderBy('id').execute();
  const before = await people();
  for (const [photo, id] of many.ids.entries()) {
    const item = { id, user_id: many.userId };
    const seen = photos[photo]!.map((testFace, place) =>
      makeDetectedFace(item, testFace.embedding, { ...testFace, place }),
    );
    await recognise(db, item, seen);
  }
  assert.deepEqual(await describe(many), expected);
  assert.deepEqual(await people(), before);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

/** Builds a user with one face on each photo. */
const onePerPhoto = async (testFaces: readonly TestFace[]) => {
  const library = await buildLibrary(testFaces.map((testFace) => [testFace]));
  for (const photo of testFaces.keys()) await library.add(photo);
  const findPersonId = async (photo: number): Promise<string | null> =>
    (await db.selectFrom('faces').select('person_id').where('media_item_id', '=', library.ids[photo]!).execute())[0]!
      .person_id;
  const again = async (photo: number): Promise<void> => {
    const item = { id: library.ids[photo]!, user_id: library.userId };
    await recognise(db, item, [makeDetectedFace(item, testFaces[photo]!.embedding, testFaces[photo])]);
  };
  const { userId, ids } = library;
  return { userId, ids, add: library.add, findPersonId, again };
};

/** Two dissimilar faces, and a third that is similar to both. */
const bridge = () => {
  const faces = makeFaceGenerator(11);
  const [left, right] = [faces.person(), faces.person()];
  const between = faces.makeFace(
    left.map((value, i) => (value + right[i]!) / Math.SQRT2),
    0.99,
  );
  return [left, right, between].map((embedding) => ({ embedding, isFounding: true }));
};

test('keeps the named person when two people turn out to be the same', async () => {
  const [left, right, between] = bridge() as [TestFace, TestFace, TestFace];
  const { userId, findPersonId, ids } = await onePerPhoto([left, right]);
  const named = (await findPersonId(1))!;
  assert.notEqual(await findPersonId(0), named);
  await updatePerson(db, userId, named, { name: 'Ada' });
  const item = await buildMediaItem(db, userId);
  await recognise(db, item, [makeDetectedFace(item, between.embedding)]);
  assert.deepEqual([await findPersonId(0), await findPersonId(1)], [named, named], ids.join());
});

test('keeps two named people separate, and assigns a face similar to both to the more similar one', async () => {
  const [left, right, between] = bridge() as [TestFace, TestFace, TestFace];
  const { userId, findPersonId } = await onePerPhoto([left, right]);
  const people = [(await findPersonId(0))!, (await findPersonId(1))!];
  for (const [at, id] of people.entries()) await updatePerson(db, userId, id, { name: `Person ${at}` });
  const item = await buildMediaItem(db, userId);
  await recognise(db, item, [makeDetectedFace(item, between.embedding)]);
  assert.deepEqual([await findPersonId(0), await findPersonId(1)], people);
  const { person_id } = await db
    .selectFrom('faces')
    .select('person_id')
    .where('media_item_id', '=', item.id)
    .executeTakeFirstOrThrow();
  assert.ok(people.includes(person_id!));
});

test('keeps a removed face out when it is found again, and when similar faces are added', async () => {
  const faces = makeFaceGenerator(5);
  const person = faces.person();
  const testFaces = Array.from({ length: 5 }, () => ({ embedding: faces.makeFace(person, 0.9), isFounding: true }));
  const { userId, ids, findPersonId, again, add } = await onePerPhoto(testFaces.slice(0, 4));
  const personId = (await findPersonId(0))!;
  assert.equal(await findPersonId(3), personId);
  await rejectFaces(db, userId, personId, [ids[3]!]);
  const separatePersonId = (await findPersonId(3))!;
  assert.notEqual(separatePersonId, personId);
  for (const photo of [3, 0, 1]) await again(photo);
  await add(2);
  assert.deepEqual([await findPersonId(0), await findPersonId(3)], [personId, separatePersonId]);
  await assert.rejects(rejectFaces(db, (await buildUser(db)).id, personId, [ids[0]!]), { code: 'NOT_FOUND' });
  await mergePeople(db, userId, personId, [separatePersonId]);
  await again(3);
  assert.equal(await findPersonId(3), personId, 'a merge overrides an earlier rejection');
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});

test('assigns a low-quality face to a person found later, and never again after the user rejects it', async () => {
  const faces = makeFaceGenerator(8);
  const person = faces.person();
  const poor = { embedding: faces.makeFace(person, 0.8), isFounding: false };
  const { userId, ids, findPersonId, again } = await onePerPhoto([poor]);
  assert.equal(await findPersonId(0), null);
  const item = await buildMediaItem(db, userId);
  await recognise(db, item, [makeDetectedFace(item, person)]);
  const personId = await findPersonId(0);
  assert.notEqual(personId, null);
  await rejectFaces(db, userId, personId!, [ids[0]!]);
  assert.equal(await findPersonId(0), null);
  await again(0);
  assert.equal(await findPersonId(0), null);
  const other = await buildMediaItem(db, userId);
  await recognise(db, other, [makeDetectedFace(other, faces.makeFace(person, 0.95))]);
  assert.equal(await findPersonId(0), null, 'still rejected after another face of that person was added');
});

test('keeps people merged by the user together when their photos are reprocessed', async () => {
  const faces = makeFaceGenerator(9);
  const testFaces = [faces.person(), faces.person()].map((embedding) => ({ embedding, isFounding: true }));
  const { userId, findPersonId, again } = await onePerPhoto(testFaces);
  const [one, other] = [(await findPersonId(0))!, (await findPersonId(1))!];
  await mergePeople(db, userId, one, [other]);
  for (const photo of [1, 0]) await again(photo);
  assert.deepEqual([await findPersonId(0), await findPersonId(1)], [one, one]);
});

test('merges two people on one photo when the photo is reprocessed and they turn out to be the same', async () => {
  const [left, right, between] = bridge() as [TestFace, TestFace, TestFace];
  const { id: userId } = await buildUser(db);
  const [both, other] = [await buildMediaItem(db, userId), await buildMediaItem(db, userId)];
  const seen = [left, right].map(({ embedding }, place) => makeDetectedFace(both, embedding, { place }));
  await recognise(db, both, seen);
  const listPeople = async () =>
    (await db.selectFrom('faces').select('person_id').distinct().where('media_item_id', '=', both.id).execute()).map(
      ({ person_id }) => person_id!,
    );
  // Named people are not merged automatically.
  for (const id of await listPeople()) await updatePerson(db, userId, id, { name: 'Ada' });
  await recognise(db, other, [makeDetectedFace(other, between.embedding)]);
  assert.equal((await listPeople()).length, 2);
  for (const id of await listPeople()) await updatePerson(db, userId, id, { name: null });
  await recognise(db, both, seen.toReversed());
  assert.equal((await listPeople()).length, 1);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
});
