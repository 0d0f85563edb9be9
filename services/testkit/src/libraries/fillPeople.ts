import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { encodeEmbedding, embeddingVersion } from '@hearth/core/people/faceEmbedding.ts';
import { rollUpAll } from './fillDatabase.ts';
import type { FaceGenerator } from '../rows/generatedFaces.ts';
import { queryOnce } from '../database/postgres.ts';

/** A person in a filled library, with the embedding of their face. */
export interface FilledPerson {
  readonly id: string;
  readonly look: Float32Array;
}

/** Photos per transaction. */
const batch = 2_000;

/** One photo in this many shows the first person, who therefore has the most photos. */
const firstEvery = 49;

/**
 * Gives a user photos with one face each. A person's faces have a similarity of 0.8 to the person's embedding. Four in five
 * people have a name. One face in ten is too poor to start a new person, so its `is_founding` is false.
 */
export const fillPeople = async (
  db: Database,
  url: string,
  userId: string,
  { made, faces, people: count }: { readonly made: FaceGenerator; readonly faces: number; readonly people: number },
): Promise<readonly FilledPerson[]> => {
  const people = Array.from({ length: count }, () => ({ id: randomUUID(), look: made.person() }));
  const items = await queryOnce<{ id: string }>(
    url,
    `insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
     select gen_random_uuid(), $1, sha256(n::text::bytea), 'IMG_' || n || '.jpg', 'image/jpeg', 1000, 'PHOTO',
       timestamptz '2010-01-01' + n * interval '1 hour', timestamp '2010-01-01' + n * interval '1 hour'
     from generate_series(1, $2::int) as n returning id`,
    [userId, faces],
  );
  for (let from = 0; from < faces; from += batch) {
    const batchFaces = items.slice(from, from + batch).map(({ id: item }, i) => {
      const nth = from + i;
      const person = people[nth % firstEvery === 0 ? 0 : nth % count]!;
      return {
        item,
        person: person.id,
        embedding: encodeEmbedding(made.makeFace(person.look, 0.8)),
        isFounding: nth % 10 !== 9,
      };
    });
    await transaction(db, async (trx) => {
      // In one transaction with the first faces: the housekeeper removes people without faces.
      if (from === 0)
        await sql`
          insert into people (id, user_id, name)
          select id, ${userId}, case when n % 5 > 0 then 'Person ' || n end
          from unnest(${people.map(({ id }) => id)}::uuid[]) with ordinality as input (id, n)`.execute(trx);
      await sql`
        with input as (
          select gen_random_uuid() as id, * from unnest(
            ${batchFaces.map(({ item }) => item)}::uuid[], ${batchFaces.map(({ person }) => person)}::uuid[],
            ${batchFaces.map(({ embedding }) => embedding)}::bytea[], ${batchFaces.map(({ isFounding }) => isFounding)}::boolean[]
          ) as input (item, person, embedding, is_founding)
        ), face as (
          insert into faces (id, media_item_id, person_id, box_left, box_top, box_width, box_height, quality, thumbnail_key, visibility)
          select id, item, person, 0.1, 0.1, 0.2, 0.2, random(), 'face', 'visible' from input
        ), member as (
          insert into collection_items (collection_id, media_item_id, local_time, visibility)
          select person, item, local_time, visibility from input join media_items on media_items.id = item
        )
        insert into face_embeddings (face_id, user_id, version, embedding, is_founding, likeness)
        select id, ${userId}, ${embeddingVersion}, embedding, is_founding, case when not is_founding then 0.7 end from input`.execute(
        trx,
      );
    });
  }
  await rollUpAll(db);
  await queryOnce(url, 'truncate events');
  await queryOnce(url, 'vacuum analyze');
  return people;
};
