import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { minFaceSimilarity } from './similarFaces.ts';
import { decodeEmbedding, embeddingVersion, encodeEmbedding, computeSimilarity } from './faceEmbedding.ts';
import { findSimilarFaces, clearCachedFaces, type SimilarFace } from './userFaces.ts';

const { db, url, drop } = await createMigratedDatabase();
after(drop);

const stored = (embedding: Float32Array): Float32Array => decodeEmbedding(encodeEmbedding(embedding));

const format = (faces: readonly SimilarFace[]): string[] =>
  faces.map(({ id, similarity }) => `${id} ${similarity.toFixed(6)}`).toSorted();

test('finds exactly the similar faces among 9,000, with their similarity, and none of another user', async () => {
  const [one, other] = [await buildUser(db), await buildUser(db)];
  const item = await buildMediaItem(db, one.id);
  const generator = makeFaceGenerator(71);
  const people = Array.from({ length: 300 }, generator.person);
  const faces = Array.from({ length: 9_000 }, (_, nth) => ({
    id: randomUUID(),
    embedding: stored(generator.makeFace(people[nth % people.length]!, 0.7)),
    isFounding: nth % 7 !== 0,
  }));
  await queryOnce(
    url,
    `with given as (select * from unnest($3::uuid[], $4::bytea[], $5::boolean[]) as given (id, embedding, is_founding)),
     written as (
       insert into faces (id, media_item_id, box_left, box_top, box_width, box_height, quality, thumbnail_key, visibility)
       select id, $1, 0, 0, 0.1, 0.1, 0.5, 'face', 'visible' from given)
     insert into face_embeddings (face_id, user_id, version, embedding, is_founding)
     select id, $2, ${embeddingVersion}, embedding, is_founding from given`,
    [
      item.id,
      one.id,
      faces.map(({ id }) => id),
      faces.map(({ embedding }) => encodeEmbedding(embedding)),
      faces.map(({ isFounding }) => isFounding),
    ],
  );
  const embeddings = [stored(generator.makeFace(people[5]!, 0.8)), stored(generator.person())];
  const getExpected = (embedding: Float32Array, isFounding: boolean) =>
    format(
      faces
        .filter((face) => face.isFounding === isFounding)
        .map((face) => ({ id: face.id, similarity: computeSimilarity(face.embedding, embedding) }))
        .filter(({ similarity }) => similarity >= minFaceSimilarity),
    );
  for (const [nth, { founding, poor }] of (await findSimilarFaces(db, one.id, embeddings)).entries()) {
    assert.deepEqual(format(founding), getExpected(embeddings[nth]!, true));
    assert.deepEqual(format(poor), getExpected(embeddings[nth]!, false));
  }
  assert.ok(getExpected(embeddings[0]!, true).length > 10);
  assert.deepEqual(await findSimilarFaces(db, other.id, embeddings), [
    { founding: [], poor: [] },
    { founding: [], poor: [] },
  ]);
});

test('reads embeddings that another process has written, and replaces a changed one', async () => {
  const { id: userId } = await buildUser(db);
  const generator = makeFaceGenerator(72);
  const [before, now] = [generator.person(), generator.person()];
  const item = await buildMediaItem(db, userId);
  const countSimilar = async (look: Float32Array): Promise<number> =>
    (await findSimilarFaces(db, userId, [stored(look)]))[0]!.founding.length;
  await recognise(db, item, [makeDetectedFace(item, before)]);
  assert.deepEqual([await countSimilar(before), await countSimilar(now)], [1, 0]);
  // Written as by another process: this one has already read all rows.
  await db
    .updateTable('face_embeddings')
    .set(({ fn, val }) => ({
      embedding: encodeEmbedding(now),
      written: fn<number>('nextval', [val('face_embeddings_written')]),
    }))
    .where('user_id', '=', userId)
    .execute();
  assert.deepEqual([await countSimilar(before), await countSimilar(now)], [0, 1]);
  await db.deleteFrom('faces').where('media_item_id', '=', item.id).execute();
  clearCachedFaces(userId);
  assert.equal(await countSimilar(now), 0);
});

test("drops a user's embeddings after half a minute without use", async (t) => {
  const { id: userId } = await buildUser(db);
  const look = makeFaceGenerator(73).person();
  const item = await buildMediaItem(db, userId);
  await recognise(db, item, [makeDetectedFace(item, look)]);
  const countSimilar = async () => (await findSimilarFaces(db, userId, [stored(look)]))[0]!.founding.length;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  assert.equal(await countSimilar(), 1);
  await db.deleteFrom('faces').where('media_item_id', '=', item.id).execute();
  t.mock.timers.tick(29_000);
  assert.equal(await countSimilar(), 1, 'it is still in memory');
  t.mock.timers.tick(31_000);
  assert.equal(await countSimilar(), 0);
});
