import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import type { Kysely } from 'kysely';
import { findPostgresBinaries } from '../embedded/postgres/postgresBinaries.ts';
import { fillEmbeddings, makeVectors } from '@hearth/testkit/embeddings/generatedEmbeddings.ts';
import { openPgvectorDatabase } from '@hearth/testkit/embeddings/pgvectorDatabase.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { openPersistentDatabase } from '@hearth/testkit/database/persistentDatabase.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { findServer, queryOnce } from '@hearth/testkit/database/postgres.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import type { Tables } from '@hearth/core/db/schema.ts';
import { deleteRemovedItems } from '../features/trash/removal.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { findNearest } from './nearest.ts';
import { openCandidates } from './openCandidates.ts';
import { prepareVectors } from './prepareVectors.ts';
import { signatureCandidates } from './signatureCandidates.ts';
import { vectorCandidates } from './vectorCandidates.ts';

const model = 'concept-lite';
const vectors = makeVectors(2);

/** Creates a user with embedded items, as left by an earlier server. */
const fill = async (db: Kysely<Tables>, url: string) => {
  const { id: userId } = await buildUser(db);
  const ids: string[] = [];
  for (let i = 0; i < 30; i += 1) ids.push((await buildMediaItem(db, userId)).id);
  const kept = await fillEmbeddings(url, { userId, model, ids }, vectors);
  return { userId, kept, query: { userId, model, vector: vectors.next(), limit: 5 } as const };
};

/** The test environment decides if a server has pgvector. */
const hasPgvector = async (): Promise<boolean> =>
  (await queryOnce(await findServer(), `select from pg_available_extensions where name = 'vector'`)).length > 0;

suite('with pgvector', { skip: missingTool('postgres-pgvector') }, () => {
  test('derives vectors of existing and new embeddings with the same numbers', async () => {
    const { db, url, drop } = await openPgvectorDatabase();
    const { userId, kept, query } = await fill(db, url);
    const before = await findNearest(db, signatureCandidates, query);
    const both = await Promise.all([prepareVectors(url), prepareVectors(url)]);
    assert.deepEqual(both, [{ hasVectors: true }, { hasVectors: true }]);
    const rows = await queryOnce<{ id: string; numbers: string }>(
      url,
      'select media_item_id as id, embedding::text as numbers from embedding_vectors',
    );
    assert.equal(rows.length, kept.size);
    for (const { id, numbers } of rows)
      assert.deepEqual(Float32Array.from(JSON.parse(numbers) as number[]), kept.get(id));
    const byIndex = vectorCandidates({ few: 0 });
    assert.deepEqual(await findNearest(db, byIndex, query), before);
    const item = await buildMediaItem(db, userId);
    await writeItemEmbedding(db, item, model, query.vector);
    assert.equal((await findNearest(db, byIndex, query))[0]!.id, item.id);
    await drop();
  });

  test('rebuilds an index that a killed process left incomplete', async () => {
    const { db, url, drop } = await openPgvectorDatabase();
    await fill(db, url);
    await prepareVectors(url);
    await queryOnce(url, 'drop index embedding_vectors_nearest');
    await queryOnce(url, 'delete from embedding_vectors');
    await prepareVectors(url);
    const [counted] = await queryOnce(
      url,
      `select (select count(*)::int from embedding_vectors) as vectors,
        (select indisvalid from pg_index where indexrelid = to_regclass('embedding_vectors_nearest')) as "isValid"`,
    );
    assert.deepEqual(counted, { vectors: 30, isValid: true });
    await drop();
  });

  test('uses signatures without permission to install the extension, and vectors once it is installed', async () => {
    const { db, url, drop } = await openPgvectorDatabase({ isInstalled: false });
    const { query } = await fill(db, url);
    const candidates = openCandidates();
    const prepared = await candidates.prepare(url);
    assert.equal(prepared.hasVectors, false);
    assert.match(prepared.why, /no permission to use pgvector: permission denied/);
    assert.equal((await findNearest(db, candidates, query)).length, 5);
    await drop();
  });

  test('keeps writing without pgvector on files that used it, and uses vectors again when it is back', async (t) => {
    const folder = await mkdtemp(join(getFastFolder(), 'hearth-moved-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    /** Runs `use` with the files on a server. */
    const on = async <Result>(programs: string, use: (url: string, db: Kysely<Tables>) => Promise<Result>) => {
      const { url, drop } = await openPersistentDatabase(folder, programs);
      const db = openDatabase({ url, maxConnections: 4, onError: () => undefined });
      try {
        return await use(url, db);
      } finally {
        await db.destroy();
        await drop();
      }
    };
    const [withPgvector, without] = [toolPath('postgres-pgvector'), dirname((await findPostgresBinaries()).postgres)];
    const { userId, query, ids } = await on(withPgvector, async (url, db) => {
      const filled = await fill(db, url);
      assert.deepEqual(await prepareVectors(url), { hasVectors: true });
      return { ...filled, ids: [...filled.kept.keys()] };
    });
    const [hidden, written, removed] = ids as [string, string, string];
    await on(without, async (url, db) => {
      const change = (id: string, values: object) =>
        db.updateTable('media_items').set(values).where('id', '=', id).execute();
      await assert.rejects(change(hidden, { is_hidden: true }), /could not access file/);
      for (let start = 0; start < 2; start += 1) {
        const prepared = await prepareVectors(url);
        assert.equal(prepared.hasVectors, false);
        assert.match(prepared.why, /^this PostgreSQL has no pgvector; the table embedding_vectors is unused .*could/);
      }
      await change(hidden, { is_hidden: true });
      await change(written, { deleted_at: new Date() });
      await change(written, { deleted_at: null });
      await writeItemEmbedding(db, { id: written, user_id: userId }, model, query.vector);
      await change(removed, { removing_at: new Date() });
      await deleteRemovedItems(db, [removed]);
      assert.equal((await findNearest(db, signatureCandidates, query))[0]!.id, written);
    });
    await on(withPgvector, async (url, db) => {
      assert.deepEqual(await prepareVectors(url), { hasVectors: true });
      const rows = await queryOnce(
        url,
        `select media_item_id as id from embedding_vectors where visibility = 'visible' order by 1`,
      );
      const visible = ids.filter((id) => id !== hidden && id !== removed).toSorted();
      assert.deepEqual(
        rows.map(({ id }) => String(id)),
        visible,
      );
      const found = await findNearest(db, vectorCandidates({ few: 0 }), query);
      assert.deepEqual(found, await findNearest(db, signatureCandidates, query));
      assert.equal(found[0]!.id, written);
    });
  });
});

test('without pgvector, removes the triggers of a server that had it, and keeps writing', async (t) => {
  if (await hasPgvector()) return t.skip('this server has pgvector');
  const { db, url, drop } = await createMigratedDatabase();
  const { userId, query } = await fill(db, url);
  // Simulates a restored dump of a server with pgvector: triggers without their table, which could not be created.
  await queryOnce(
    url,
    `create function write_embedding_vector() returns trigger language plpgsql as $$
     begin
       insert into embedding_vectors values (new.media_item_id);
       return null;
     end $$`,
  );
  for (const [name, table] of [
    ['media_item_embeddings_vector', 'media_item_embeddings'],
    ['media_items_vectors', 'media_items'],
  ])
    await queryOnce(
      url,
      `create trigger ${name} after update or insert on ${table} for each row execute function write_embedding_vector()`,
    );
  const item = await queryOnce<{ id: string }>(url, 'select id from media_items limit 1');
  const write = () => writeItemEmbedding(db, { id: item[0]!.id, user_id: userId }, model, query.vector);
  await assert.rejects(write, /embedding_vectors/);
  const prepared = await prepareVectors(url);
  assert.deepEqual(prepared, { hasVectors: false, why: 'this PostgreSQL has no pgvector' });
  await write();
  assert.equal((await findNearest(db, signatureCandidates, query))[0]!.id, item[0]!.id);
  await drop();
});
