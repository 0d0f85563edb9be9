import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { minFaceSimilarity } from '@hearth/core/people/similarFaces.ts';
import { decodeEmbedding, encodeEmbedding, computeSimilarity } from '@hearth/core/people/faceEmbedding.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 10 });
after(drop);

/** A face: of a new person, similar to an earlier face, or between two earlier faces. */
const anyFace = fc.record({
  kind: fc.constantFrom('new', 'like', 'like', 'almost like', 'between', 'between'),
  from: fc.nat({ max: 100 }),
  to: fc.nat({ max: 100 }),
  likeness: fc.constantFrom(0.5, 0.6, 0.8, 0.95),
  isFounding: fc.boolean().map((isPoor) => !isPoor),
});
/** Fewer than twice `manyFaces` in total, so that the rule for two people with many faces never applies. */
const anyPhotos = fc.array(fc.array(anyFace, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 13 });

interface Face {
  readonly photo: number;
  readonly place: number;
  readonly embedding: Float32Array;
  readonly isFounding: boolean;
}

type Given = typeof anyPhotos extends fc.Arbitrary<infer Value> ? Value : never;

/** Embeddings as stored. */
const makeAll = (photos: Given, seed: number): readonly Face[] => {
  const made = makeFaceGenerator(seed);
  const { between } = createRandom(seed, 1);
  const faces: Face[] = [];
  const oneOf = (nth: number): Float32Array => faces[nth % faces.length]?.embedding ?? made.person();
  for (const [photo, each] of photos.entries())
    for (const [place, { kind, from, to, likeness, isFounding }] of each.entries()) {
      const likenesses = {
        new: 0,
        like: likeness,
        'almost like': between(minFaceSimilarity - 0.004, minFaceSimilarity + 0.004),
        between: 0,
      };
      const near =
        kind === 'between'
          ? made.makeFace(unit(oneOf(from).map((value, i) => value + oneOf(to)[i]!)), 0.97)
          : withLikeness(oneOf(from), made.person(), likenesses[kind]);
      faces.push({ photo, place, embedding: decodeEmbedding(encodeEmbedding(near)), isFounding });
    }
  return faces;
};

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(computeSimilarity(vector, vector));
  return vector.map((value) => value / length);
};

/** Returns a vector with exactly this cosine similarity to `one`, in the direction of `other`. */
const withLikeness = (one: Float32Array, other: Float32Array, likeness: number): Float32Array => {
  const shared = computeSimilarity(one, other);
  const across = unit(other.map((value, i) => value - shared * one[i]!));
  return one.map((value, i) => likeness * value + Math.sqrt(1 - likeness * likeness) * across[i]!);
};

const nameOf = ({ photo, place }: Face): string => `${photo}.${place}`;

/**
 * Expected people by the rule alone: connected founding faces, plus the other faces, each with its most similar one.
 */
const expectedOf = (faces: readonly Face[]): readonly string[] => {
  const groups = new Map(faces.map((face) => [face, nameOf(face)]));
  const founding = faces.filter(({ isFounding }) => isFounding);
  for (const one of founding)
    for (const other of founding) {
      const [stays, goes] = [groups.get(one)!, groups.get(other)!];
      if (stays === goes || computeSimilarity(one.embedding, other.embedding) < minFaceSimilarity) continue;
      for (const [face, group] of groups) if (group === goes) groups.set(face, stays);
    }
  for (const poor of faces.filter(({ isFounding }) => !isFounding)) {
    const likenesses = founding.map(({ embedding }) => computeSimilarity(poor.embedding, embedding));
    const best = founding[likenesses.indexOf(Math.max(...likenesses))];
    const isLike = best !== undefined && Math.max(...likenesses) >= minFaceSimilarity;
    groups.set(poor, isLike ? groups.get(best)! : 'nobody');
  }
  return described(faces.map((face) => ({ name: nameOf(face), person: groups.get(face)! })));
};

const described = (faces: readonly { readonly name: string; readonly person: string }[]): readonly string[] =>
  [...Map.groupBy(faces, ({ person }) => person)]
    .map(([person, each]) =>
      [person === 'nobody' ? 'nobody' : 'somebody', ...each.map(({ name }) => name).toSorted()].join(' '),
    )
    .toSorted();

/** Processes the photos in this order with this many concurrent workers. Returns the resulting people. */
const takeIn = async (
  faces: readonly Face[],
  order: readonly number[],
  workers: number,
): Promise<readonly string[]> => {
  const { id: userId } = await buildUser(db);
  const photos = new Map<string, number>();
  const left = [...order];
  const work = async (): Promise<void> => {
    for (let photo = left.shift(); photo !== undefined; photo = left.shift()) {
      const item = await buildMediaItem(db, userId);
      photos.set(item.id, photo);
      const seen = faces.filter((face) => face.photo === photo);
      await recognise(
        db,
        item,
        seen.map(({ embedding, place, isFounding }) => makeDetectedFace(item, embedding, { place, isFounding })),
      );
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const rows = await db
    .selectFrom('faces')
    .innerJoin('media_items', 'media_items.id', 'media_item_id')
    .select(['media_item_id', 'person_id', 'box_left'])
    .where('user_id', '=', userId)
    .execute();
  return described(
    rows.map((row) => ({
      name: `${photos.get(row.media_item_id)}.${row.box_left * 8}`,
      person: row.person_id ?? 'nobody',
    })),
  );
};

test('merges people connected by similar faces, in any order and with any number of workers', async () => {
  await fc.assert(
    fc.asyncProperty(anyPhotos, fc.integer({ min: 1, max: 1_000_000 }), async (photos, seed) => {
      const faces = makeAll(photos, seed);
      const { shuffle } = createRandom(seed, 2);
      const expected = expectedOf(faces);
      for (const workers of [1, 1, 3])
        assert.deepEqual(await takeIn(faces, shuffle([...photos.keys()]), workers), expected, `${workers} workers`);
    }),
    { numRuns: runs(10) },
  );
});

test('merges two dissimilar people through a face similar to a single face of the other, whenever it arrives', async () => {
  const made = makeFaceGenerator(17);
  const [one, other] = [made.person(), made.person()];
  const unusual = withLikeness(one, made.person(), 0.55);
  // Similar to the unusual face (0.46), but less similar to the person's typical face than a stranger.
  const bridge = withLikeness(unusual, unit(other.map((value, i) => value - 0.5 * one[i]!)), 0.46);
  assert.ok(computeSimilarity(bridge, one) < 0.1);
  const others = Array.from({ length: 10 }, () => made.makeFace(bridge, 0.75));
  const faces = [...Array.from({ length: 12 }, () => made.makeFace(one, 0.75)), unusual, bridge, ...others].map(
    (embedding, photo) => ({
      photo,
      place: 0,
      embedding: decodeEmbedding(encodeEmbedding(embedding)),
      isFounding: true,
    }),
  );
  const photos = [...faces.keys()];
  assert.equal(expectedOf(faces).length, 1);
  for (const order of [
    photos,
    photos.toReversed(),
    [12, 13, ...photos.filter((photo) => photo !== 12 && photo !== 13)],
  ])
    assert.deepEqual(await takeIn(faces, order, 1), expectedOf(faces));
});
