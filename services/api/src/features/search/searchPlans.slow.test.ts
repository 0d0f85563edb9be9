import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { captureStatements, type Statement } from '@hearth/testkit/database/statements.ts';
import { searchByText } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);

before(async () => {
  await sql`
    insert into media_items (id, user_id, checksum, filename, description, camera_make, mime_type, size_bytes, type, taken_at, local_time)
    select gen_random_uuid(), ${userId}, sha256(n::text::bytea), 'IMG_' || n || '.jpg', 'tulip' || chr(97 + n % 26), 'Canon', 'image/jpeg', 1,
      'PHOTO', now(), timestamp '2022-01-01' - n * interval '1 hour' from generate_series(1, 10000) as n`.execute(db);
  await sql`
    insert into things (id, user_id, name) select gen_random_uuid(), ${userId}, 'Tulip ' || n from generate_series(1, 50) as n`.execute(
    db,
  );
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select things.id, media_items.id, local_time, visibility from things, media_items
    where get_byte(checksum, 0) = get_byte(uuid_send(things.id), 0)`.execute(db);
  await sql`vacuum analyze`.execute(db);
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}
const descend = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(descend)];

/** Captures the statements of a search. */
const captureQueries = async (query: string): Promise<Statement[]> => {
  const sent = await captureStatements(async () => {
    await searchByText(db, { userId, features: {} }, query, { limit: 15, start: { number: 1 } });
  });
  return sent.filter(({ text }) => /^\s*(select|with)/.test(text) && /\bfrom\b/.test(text));
};

/** Tables that grow with the library. */
const growing = new Set(['media_items', 'collection_items', 'search_words', 'search_postings', 'media_item_words']);

for (const query of [
  'img',
  'canon',
  'cannon',
  'img canon 2021',
  'june',
  'nothing',
  'img tulipa june',
  'img_20210820_1',
]) {
  test(`a search for "${query}" reads no large table sequentially`, async () => {
    let explained = 0;
    for (const { text, values } of await captureQueries(query)) {
      const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        CompiledQuery.raw(`explain (format json) ${text}`, [...values]),
      );
      for (const node of rows.flatMap((row) => descend(row['QUERY PLAN'][0].Plan))) {
        assert(
          node['Node Type'] !== 'Seq Scan' || !growing.has(node['Relation Name'] ?? ''),
          `${node['Relation Name']} is scanned sequentially by ${text}`,
        );
      }
      explained += rows.length;
    }
    assert(explained >= 2, `${explained} statements were explained`);
  });
}
