import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { insertJob } from '../features/jobs/queries.ts';
import { acquireLease, LeaseLostError, releaseLease, type Lease } from './leases/leases.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { writePictureFeatures } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { tasks } from './tasks.ts';

const api = await startTestApi();
const { deps } = api;
const { db } = deps;
after(() => api.stop());

/** Tasks whose writes are harmless in two processes, and why. */
const unfenced = new Map([
  ['forget attempts', 'every process deletes the same old rows'],
  ['trim audit', 'every process deletes the same old rows'],
  ['trim events', 'every process deletes the same old rows'],
  ['forget people', 'any process may delete people without faces'],
  ['note people off', 'starting or stopping a clock twice has no further effect'],
  ['forget switched-off people', 'any process may complete a started removal'],
  ['count orphans', 'writes nothing'],
  ['count originals', 'writes nothing'],
  ['measure scrub', 'writes nothing'],
]);

/** Tasks without work in this test, because no object is a day old. `orphans.test.ts` covers them. */
const withoutWork = new Set(['remove orphans']);

type Item = Awaited<ReturnType<typeof buildMediaItem>>;

let lost: Lease;
let held: Lease;

/** Creates work for every task. */
before(async () => {
  await takeOverStore(deps.objects, db);
  const [staying, leaving] = [await buildUser(db), await buildUser(db)];
  const old = new Date(Date.now() - 400 * 86_400_000);
  await buildMediaItem(db, staying.id, { deleted_at: old });
  const { id: going } = await buildMediaItem(db, staying.id, { deleted_at: old });
  await db.updateTable('media_items').set({ removing_at: old }).where('id', '=', going).execute();
  const { id: blocked } = await buildMediaItem(db, staying.id);
  await db
    .updateTable('component_runs')
    .set({ state: 'BLOCKED', blocked_on: 'decode image/heic' })
    .where('media_item_id', '=', blocked)
    .execute();
  const { id: crashed } = await buildMediaItem(db, staying.id);
  await db
    .updateTable('component_runs')
    .set({ state: 'RUNNING', attempts: 5, lease_until: old })
    .where('media_item_id', '=', crashed)
    .execute();
  await insertJob(db, staying.id, ['METADATA']);
  await db.updateTable('users').set({ removing_at: old }).where('id', '=', leaving.id).execute();
  await db.insertInto('collections').values({ id: randomUUID(), user_id: staying.id, kind: 'album' }).execute();
  const earlier = { user_id: staying.id, model: 'clip-vit-b-32' } as const;
  await db.insertInto('answering_models').values(earlier).execute();
  const hash = Buffer.alloc(32);
  await db
    .insertInto('sessions')
    .values({ id: randomUUID(), user_id: staying.id, family_hash: hash, refresh_token_hash: hash, expires_at: old })
    .execute();
  await queryOnce(
    deps.config.databaseUrl,
    `insert into counts select user_id, user_id, 'visible', '1990-01-01', 'PHOTO', 'DEFAULT', 'READY', true, 0, array_fill(0, array[31]) from media_items limit 1`,
  );
  await queryOnce(
    deps.config.databaseUrl,
    `insert into uploads (id, user_id, metadata, length_bytes, part_bytes, expires_at) values ($1, $2, '', 1, 1, $3)`,
    [randomUUID(), staying.id, old],
  );
  // The last transaction groups only the first item by id and leaves its two neighbours to the housekeeper.
  const similar = [
    await buildMediaItem(db, staying.id),
    await buildMediaItem(db, staying.id),
    await buildMediaItem(db, staying.id),
  ];
  const [first, second, third] = similar.toSorted((one, other) => (one.id < other.id ? -1 : 1)) as [Item, Item, Item];
  await writePictureFeatures(db, third, { bits: 4, angle: 0 });
  await writePictureFeatures(db, second, { bits: 4, angle: 0 });
  await writePictureFeatures(db, first, { bits: 0, angle: 0, maxSettled: 1 });
  lost = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
  await releaseLease(db, lost);
  held = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
});

/** Hashes the rows of each table. */
const hashTables = async () => {
  const url = deps.config.databaseUrl;
  const tables = await queryOnce<{ name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const hashes = tables.map(
    ({ name }) => `select '${name}' as name, md5(string_agg(t::text, chr(10) order by t::text)) from "${name}" as t`,
  );
  // A single statement, so that all tables are read from one snapshot.
  return queryOnce(url, `${hashes.join(' union all ')} order by 1`);
};

/** Runs a task. Returns its error, and whether it wrote rows or deleted an orphaned object. */
const attempt = async (run: () => Promise<unknown>): Promise<{ hasChanged: boolean; error: unknown }> => {
  const orphan = originalKey(randomUUID(), randomUUID());
  await deps.objects.put(orphan, Readable.from([Buffer.from('bytes')]));
  const before = await hashTables();
  const error: unknown = await run().then(
    () => undefined,
    (error: unknown) => error,
  );
  const isOrphanLeft = (await api.listKeys()).includes(orphan);
  await deps.objects.remove([orphan]);
  return { hasChanged: !isOrphanLeft || !isDeepStrictEqual(await hashTables(), before), error };
};

for (const { name, run } of tasks) {
  if (unfenced.has(name)) continue;
  test(`the task "${name}" changes nothing after the lease is lost, although there is work`, async () => {
    const afterLoss = await attempt(() => run(deps, lost, new AbortController().signal));
    assert.equal(afterLoss.hasChanged, false);
    assert.ok(afterLoss.error === undefined || afterLoss.error instanceof LeaseLostError);
    if (withoutWork.has(name)) return;
    assert.deepEqual(await attempt(() => run(deps, held, new AbortController().signal)), {
      hasChanged: true,
      error: undefined,
    });
  });
}
