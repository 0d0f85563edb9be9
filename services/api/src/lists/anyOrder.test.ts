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

/**
 * A random face: of a new person, similar to the earlier face `from`, or between the earlier faces `from` and `to`.
 * Only a founding face is good enough to start a new person.
 */
const anyFace = fc.record({
  kind: fc.constantFrom('new', 'similar', 'similar', 'almost similar', 'between', 'between'),
  from: fc.nat({ max: 100 }),
  to: fc.nat({ max: 100 }),
  similarity: fc.constantFrom(0.5, 0.6, 0.8, 0.95),
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
const makeFaces = (photos: Given, seed: number): readonly Face[] => {
  const generator = makeFaceGenerator(seed);
  const { between } = createRandom(seed, 1);
  const faces: Face[] = [];
  const pickEmbedding = (nth: number): Float32Array => faces[nth % faces.length]?.embedding ?? generator.person();
  for (const [photo, each] of photos.entries())
    for (const [place, { kind, from, to, similarity, isFounding }] of each.entries()) {
      const similarities = {
        new: 0,
        similar: similarity,
        'almost similar': between(minFaceSimilarity - 0.004, minFaceSimilarity + 0.004),
        between: 0,
      };
      const vector =
        kind === 'between'
          ? generator.makeFace(unit(pickEmbedding(from).map((value, i) => value + pickEmbedding(to)[i]!)), 0.97)
          : makeSimilar(pickEmbedding(from), generator.person(), similarities[kind]);
      faces.push({ photo, place, embedding: decodeEmbedding(encodeEmbedding(vector)), isFounding });
    }
  return faces;
};

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(computeSimilarity(vector, vector));
  return vector.map((value) => value / length);
};

/** Returns a vector with exactly this cosine similarity to `one`, in the direction of `other`. */
const makeSimilar = (one: Float32Array, other: Float32Array, similarity: number): Float32Array => {
  const shared = computeSimilarity(one, other);
  const across = unit(other.map((value, i) => value - shared * one[i]!));
  return one.map((value, i) => similarity * value + Math.sqrt(1 - similarity * similarity) * across[i]!);
};

const getName = ({ photo, place }: Face): string => `${photo}.${place}`;

/**
 * Computes the expected people: groups of connected founding faces, and each other face with its most similar one.
 */
const computeExpected = (faces: readonly Face[]): readonly string[] => {
  const groups = new Map(faces.map((face) => [face, getName(face)]));
  const founding = faces.filter(({ isFounding }) => isFounding);
  for (const one of founding)
    for (const other of founding) {
      const [kept, merged] = [groups.get(one)!, groups.get(other)!];
      if (kept === merged || computeSimilarity(one.embedding, other.embedding) < minFaceSimilarity) continue;
      for (const [face, group] of groups) if (group === merged) groups.set(face, kept);
    }
  for (const poor of faces.filter(({ isFounding }) => !isFounding)) {
    const similarities = founding.map(({ embedding }) => computeSimilarity(poor.embedding, embedding));
    const best = founding[similarities.indexOf(Math.max(...similarities))];
    const isSimilar = best !== undefined && Math.max(...similarities) >= minFaceSimilarity;
    groups.set(poor, isSimilar ? groups.get(best)! : 'nobody');
  }
  return describePeople(faces.map((face) => ({ name: getName(face), person: groups.get(face)! })));
};

const describePeople = (faces: readonly { readonly name: string; readonly person: string }[]): readonly string[] =>
  [...Map.groupBy(faces, ({ person }) => person)]
    .map(([person, each]) =>
      [person === 'nobody' ? 'nobody' : 'somebody', ...each.map(({ name }) => name).toSorted()].join(' '),
    )
    .toSorted();

/** Processes the photos in this order with this many concurrent workers. Returns the resulting people. */
const processPhotos = async (
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
  return describePeople(
    rows.map((row) => ({
      name: `${photos.get(row.media_item_id)}.${row.box_left * 8}`,
      person: row.person_id ?? 'nobody',
    })),
  );
};

test('merges people connected by similar faces, in any order and with any number of workers', async () => {
  await fc.assert(
    fc.asyncProperty(anyPhotos, fc.integer({ min: 1, max: 1_000_000 }), async (photos, seed) => {
      const faces = makeFaces(photos, seed);
      const { shuffle } = createRandom(seed, 2);
      const expected = computeExpected(faces);
      for (const workers of [1, 1, 3])
        assert.deepEqual(
          await processPhotos(faces, shuffle([...photos.keys()]), workers),
          expected,
          `${workers} workers`,
        );
    }),
    { numRuns: runs(10) },
  );
});

test('merges two dissimilar people that are connected by one pair of similar faces, in any order', async () => {
  const generator = makeFaceGenerator(17);
  const [one, other] = [generator.person(), generator.person()];
  const unusual = makeSimilar(one, generator.person(), 0.55);
  // Similar to the unusual face (0.46), but less similar to the person's typical face than a stranger is.
  const bridge = makeSimilar(unusual, unit(other.map((value, i) => value - 0.5 * one[i]!)), 0.46);
  assert.ok(computeSimilarity(bridge, one) < 0.1);
  const others = Array.from({ length: 10 }, () => generator.makeFace(bridge, 0.75));
  const faces = [...Array.from({ length: 12 }, () => generator.makeFace(one, 0.75)), unusual, bridge, ...others].map(
    (embedding, photo) => ({
      photo,
      place: 0,
      embedding: decodeEmbedding(encodeEmbedding(embedding)),
      isFounding: true,
    }),
  );
  const photos = [...faces.keys()];
  assert.equal(computeExpected(faces).length, 1);
  for (const order of [
    photos,
    photos.toReversed(),
    [12, 13, ...photos.filter((photo) => photo !== 12 && photo !== 13)],
  ])
    assert.deepEqual(await processPhotos(faces, order, 1), computeExpected(faces));
});
