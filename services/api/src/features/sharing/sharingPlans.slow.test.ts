import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { captureStatements } from '@hearth/testkit/database/statements.ts';
import { insertAlbum } from '../albums/queries.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { findSharedIds } from '@hearth/core/items/sharedItems.ts';
import { findSharedAlbum, findSharedItem, listSharedItems, summariseSharedAlbum } from './queries.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);
const values = { name: 'A', description: null, isHidden: false };
const album = await insertAlbum(db, userId, { ...values, isShared: true });
for (let n = 0; n < 200; n++) await insertAlbum(db, userId, { ...values, isShared: n < 20 });
await sql`
  insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time, status)
  select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(),
    timestamp '2022-04-03' - n * interval '1 hour', case when n % 1000 = 2 then 'FAILED' else 'READY' end
  from (select gen_random_uuid() as id, n from generate_series(1, 30000) as n) as items`.execute(db);
await sql`
  insert into collection_items (collection_id, media_item_id, local_time, visibility)
  select collections.id, media_items.id, local_time, visibility from media_items join collections
    on collections.id = ${album} or get_byte(uuid_send(media_items.id), 0) = get_byte(uuid_send(collections.id), 0)`.execute(
  db,
);
await sql`vacuum analyze`.execute(db);
const { share_id } = await db.selectFrom('albums').select('share_id').where('id', '=', album).executeTakeFirstOrThrow();
const { rows: items } = await sql<{ id: string }>`select id from media_items limit 200`.execute(db);

/** Tables that are large in this test. Scanning small ones is fine. */
const filled: ReadonlySet<string> = new Set(['media_items', 'collection_items']);

/** Returns the tables that `work` scans sequentially. */
const listScannedTables = async (work: (watched: Database) => Promise<unknown>): Promise<string[]> => {
  const sent = await captureStatements(async () => void (await work(db)));
  assert.ok(sent.length > 0);
  const scanned: string[] = [];
  for (const { text, values } of sent) {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': unknown }>(
      CompiledQuery.raw(`explain (format json) ${text}`, [...values]),
    );
    for (const [, table = ''] of JSON.stringify(rows).matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g))
      scanned.push(table);
  }
  return scanned;
};

test('no query of visitors, and no lookup of sharing state, scans a growing table', async () => {
  const options = { featuresOff: [] };
  const ids = items.map(({ id }) => id);
  for (const work of [
    (watched) => findSharedAlbum(watched, share_id!, options),
    (watched) => findSharedAlbum(watched, randomUUID(), options),
    (watched) => summariseSharedAlbum(watched, album),
    (watched) => listSharedItems(watched, album, { limit: 16, start: { number: 1 } }),
    (watched) =>
      listSharedItems(watched, album, { limit: 16, start: { after: { localTime: '2020-01-01T00:00:00', id: album } } }),
    (watched) => findSharedItem(watched, share_id!, ids[0]!, options),
    (watched) => findSharedIds(watched, userId, ids),
    (watched) => findSharedIds(watched, userId, ids.slice(0, 15)),
  ] satisfies ((watched: Database) => Promise<unknown>)[]) {
    const growing = (await listScannedTables(work)).filter((table) => filled.has(table));
    assert.deepEqual(growing, [], work.toString());
  }
});
