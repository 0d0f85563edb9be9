import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import { components, findPool } from '../config/pipeline.ts';
import { buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { makeEmbedding, makeHash } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { captureStatements } from '@hearth/testkit/database/statements.ts';
import { openDatabase } from '../db/database.ts';
import { writePictureHash } from '@hearth/worker/components/search/pictureHashes.ts';
import { writeItemEmbedding } from '../items/itemEmbeddings.ts';
import { reprocessMovedPlace, writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import { findMediaItemForWork } from '../items/mediaItems.ts';
import { writeItemText } from '../items/itemTexts.ts';
import { insertMediaItem } from '@hearth/api/ingest/insertMediaItem.ts';
import { claimRun } from './componentRuns.ts';
import { recordOutcome, type Outcome } from './runOutcomes.ts';

/*
 * Sends the statements of uploads and runs over one connection, in a library of 3,000 items. Checks that each statement
 * has a name, that PostgreSQL soon uses a generic plan for it, and that this plan scans no large table sequentially.
 */
const { db: filled, url, drop } = await createMigratedDatabase();
const db = openDatabase({ url, maxConnections: 1, onError: () => undefined });
after(async () => {
  await db.destroy();
  await drop();
});
const user = await buildUser(filled);

/** Returns the large tables that the generic plan of a statement scans sequentially. */
const findScans = async (text: string): Promise<string[]> => {
  const values = [...new Set(text.match(/\$\d+/g))].map(() => 'null').join();
  const [plan] = await inOneSession(
    'set plan_cache_mode = force_generic_plan',
    `prepare checked as ${text}`,
    `explain (format json) execute checked${values && `(${values})`}`,
  );
  const scanned = JSON.stringify(plan).matchAll(/"Node Type":"Seq Scan",[^{}]*?"Relation Name":"(\w+)"/g);
  return [...scanned].flatMap(([, table = '']) => (growing.has(table) ? table : []));
};

/** Runs statements on a new connection. Returns the rows of the last one. */
const inOneSession = async (...statements: readonly string[]): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
};

/** The tables with more than 2,000 rows. */
let growing: ReadonlySet<string>;

before(async () => {
  await fillDatabase(url, [{ userId: user.id, items: 3_000 }]);
  await queryOnce(
    url,
    `insert into component_runs (media_item_id, user_id, component, type, version, state)
    select id, user_id, component, type, 1, 'DONE' from media_items, unnest($1::text[]) as component`,
    [components.map(({ name }) => name)],
  );
  await queryOnce(url, 'vacuum analyze');
  const large = await queryOnce<{ relname: string }>(url, 'select relname from pg_class where reltuples > 2000');
  growing = new Set(large.map(({ relname }) => relname));
});

const place = { countryCode: 'CH', country: 'Switzerland', city: 'Basel' };

/** Returns a component's outcome as its worker writes it. The `nth` photo looks different from all others. */
const makeOutcome = (component: ComponentName, id: string, nth: number): Outcome => {
  const item = { id, user_id: user.id };
  const done = { state: 'DONE', warnings: [] } as const;
  switch (component) {
    case 'METADATA': {
      const changes = { latitude: 47.55, longitude: 7.59, camera_make: 'Canon' };
      return { ...done, changes, writes: { write: (trx) => reprocessMovedPlace(trx, id, changes) } };
    }
    case 'PREVIEW_THUMBNAIL':
      return {
        ...done,
        changes: { thumbnail_key: `${id}/t`, preview_key: `${id}/p`, width_px: 4_000, height_px: 3_000 },
      };
    case 'PLACES':
      return { ...done, writes: { write: (trx) => writeItemPlace(trx, id, nth % 2 === 0 ? place : null) } };
    case 'CLASSIFICATION':
      return { ...done, writes: { write: (trx) => writeItemThings(trx, item, [{ name: 'dog', confidence: 0.9 }]) } };
    case 'OCR':
      return {
        ...done,
        writes: {
          write: (trx) => writeItemText(trx, id, nth % 2 === 0 ? [] : [{ text: 'Exit', confidence: 1, corners: [] }]),
        },
      };
    case 'SEARCH':
      return {
        ...done,
        writes: {
          write: async (trx) => {
            await writeItemEmbedding(trx, item, 'concept-lite', makeEmbedding(nth));
            await writePictureHash(trx, item, { hash: makeHash(nth * 4), sharpness: 0.5 });
          },
        },
      };
    case 'FACES':
    case 'TRANSCODE':
      return { state: 'SKIPPED', reason: 'NOT_APPLICABLE' };
  }
};

/** Imports a photo as the API and workers do. */
const ingest = async (nth: number): Promise<void> => {
  const { id } = await insertMediaItem(db, newMediaItem(user.id));
  for (const pool of ['media', 'ml']) {
    await findMediaItemForWork(db, id);
    let due: readonly ComponentName[] | undefined;
    do {
      const claim = await claimRun(db, id, pool, 60_000);
      assert.ok(claim !== undefined);
      due = await recordOutcome(db, claim, makeOutcome(claim.component, id, nth));
    } while (due?.some((name) => findPool(name, 'PHOTO') === pool));
    assert.ok(due !== undefined);
  }
};

/**
 * Statements without a name: transactions, and the search for similar photos. The number of its matches varies, so a
 * plan for the actual values is better.
 */
const unnamed = /^(?:begin|commit|\s*with by_hash as|\s*select media_item_id as id, model, embedding)/;

test('detects a plan that scans a table', async () => {
  assert.deepEqual(await findScans('select * from media_items where filename = $1'), ['media_items']);
});

test('names all statements of uploads and runs, uses generic plans for them, and scans no large table', async () => {
  const statements = await captureStatements(async () => {
    for (let nth = 0; nth < 12; nth += 1) await ingest(nth);
  });
  const namedStatements = new Map(
    statements.filter(({ text }) => !unnamed.test(text)).map((each) => [each.text, each]),
  );
  assert.ok(namedStatements.size > 20);
  for (const { name, text } of namedStatements.values()) assert.ok(name !== undefined, `prepared: ${text}`);
  const { rows: plans } = await sql<{ name: string; isGeneric: boolean }>`
    select name, generic_plans > 0 as "isGeneric" from pg_prepared_statements`.execute(db);
  assert.deepEqual(
    plans.flatMap(({ name, isGeneric }) => (isGeneric ? [] : name)),
    [],
  );
  for (const { text } of namedStatements.values()) assert.deepEqual(await findScans(text), [], text);
});
