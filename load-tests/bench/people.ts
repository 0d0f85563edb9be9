import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openDatabase } from '@hearth/core/db/connection/database.ts';
import { encodeEmbedding, embeddingVersion } from '@hearth/core/db/explore/faceEmbedding.ts';
import { addToLooks } from '@hearth/core/db/explore/personLooks.ts';
import { buildMediaItem, buildUser } from '@hearth/core/testing/factories.ts';
import { recognise, seenOn } from '@hearth/core/testing/faces.ts';
import { makeFaces } from '@hearth/core/testing/madeFaces.ts';
import { createMigratedDatabase } from '@hearth/core/testing/migratedDatabase.ts';
import { queryOnce } from '@hearth/core/testing/postgres.ts';
import { describeMachine, publishTable, today } from '../harness/publish.ts';

/*
 * npm run bench:people [-- --faces 100000 --people 500 --publish]: how long it takes to put one more face to its person, in a library of one user
 * with so many faces of so many people. The vectors are made; one face in ten founds nobody. What is measured is the whole transaction: the lock,
 * the comparisons and all that is written.
 */
const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: '100000' },
    people: { type: 'string', default: '500' },
    publish: { type: 'boolean', default: false },
  },
});
const [faceCount, personCount] = [Number(values.faces), Number(values.people)];

const database = await createMigratedDatabase();
const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => undefined, isWatched: false });
const { id: userId } = await buildUser(db);
const made = makeFaces(1);
const people = Array.from({ length: personCount }, () => ({ id: randomUUID(), look: made.person() }));

await queryOnce(database.url, 'insert into people (id, user_id) select unnest($1::uuid[]), $2', [
  people.map(({ id }) => id),
  userId,
]);
const items = (
  await queryOnce<{ id: string }>(
    database.url,
    `insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
     select gen_random_uuid(), $1, sha256(n::text::bytea), 'IMG_' || n || '.jpg', 'image/jpeg', 1000, 'PHOTO',
       timestamptz '2010-01-01' + n * interval '1 hour', timestamp '2010-01-01' + n * interval '1 hour'
     from generate_series(1, $2::int) as n returning id`,
    [userId, faceCount],
  )
).map(({ id }) => id);

/** Writes known faces, as they would be after so many uploads. */
const batch = 2_000;
for (let from = 0; from < faceCount; from += batch) {
  const faces = items.slice(from, from + batch).map((item, i) => {
    const { id, look } = people[(from + i) % personCount]!;
    return { item, person: id, embedding: encodeEmbedding(made.faceOf(look, 0.8)), isFounding: (from + i) % 10 !== 0 };
  });
  await queryOnce(
    database.url,
    `with given as (
       select gen_random_uuid() as id, * from unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::boolean[])
         as given (item, person, embedding, is_founding)
     ), face as (
       insert into faces (id, media_item_id, person_id, box_left, box_top, box_width, box_height, quality, thumbnail_key, visibility)
       select id, item, person, 0.1, 0.1, 0.2, 0.2, random(), 'face', 'visible' from given
     ), member as (
       insert into collection_items (collection_id, media_item_id, local_time, visibility)
       select person, item, local_time, visibility from given join media_items on media_items.id = item
     )
     insert into face_embeddings (face_id, user_id, version, embedding, is_founding, likeness)
     select id, $1, ${embeddingVersion}, embedding, is_founding, case when not is_founding then 0.7 end from given`,
    [
      userId,
      faces.map(({ item }) => item),
      faces.map(({ person }) => person),
      faces.map(({ embedding }) => embedding),
      faces.map(({ isFounding }) => isFounding),
    ],
  );
}
for (const { id, look } of people) {
  await addToLooks(db, id, made.faceOf(look, 0.99));
  await queryOnce(database.url, 'update person_centroids set faces = $2 where person_id = $1', [
    id,
    Math.round((0.9 * faceCount) / personCount),
  ]);
}
await queryOnce(database.url, 'analyze');

const times = { known: [] as number[], poor: [] as number[], new: [] as number[] };
for (let n = 0; n < 220; n += 1) {
  const item = await buildMediaItem(db, userId);
  const kind = n % 4 === 3 ? 'new' : n % 4 === 2 ? 'poor' : 'known';
  const look = kind === 'new' ? made.person() : made.faceOf(people[(7 * n) % personCount]!.look, 0.8);
  const began = performance.now();
  await recognise(db, item, [seenOn(item, look, { isFounding: kind !== 'poor' })]);
  // The first ones fill the caches.
  if (n >= 20) times[kind].push(performance.now() - began);
}

const at = (list: readonly number[], part: number): string =>
  list.toSorted((a, b) => a - b)[Math.floor(part * (list.length - 1))]!.toFixed(1);
const words = { known: 'of somebody known', poor: 'that founds nobody', new: 'of somebody new' } as const;
const table = [
  `${today()}: ${faceCount.toLocaleString('en')} faces of ${personCount} people of one user; ${describeMachine()}.`,
  '',
  '| a face | median | 95 % |',
  '| --- | ---: | ---: |',
  ...Object.entries(words).map(
    ([kind, word]) =>
      `| ${word} | ${at(times[kind as keyof typeof times], 0.5)} ms | ${at(times[kind as keyof typeof times], 0.95)} ms |`,
  ),
].join('\n');
await db.destroy();
await database.drop();
await publishTable('bench:people', table, values);
process.exit(0);
