import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { findAllCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { expectCountsRight, countMediaItems } from '@hearth/testkit/rows/expectCountsRight.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { anyStep } from '@hearth/testkit/rows/libraryHistory.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { deleteEmptyCounts, rollUpCounts } from './counts.ts';
import { claimRun } from '@hearth/core/runs/componentRuns.ts';
import { recordOutcome } from '@hearth/core/runs/runOutcomes.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
beforeEach(async () => {
  await db.deleteFrom('users').execute();
  await rollUpAll();
});

const rollUpAll = async (limit = 10_000): Promise<void> => {
  while ((await rollUpCounts(db, limit)) > 0);
};

const countRows = async (table: 'counts' | 'count_deltas'): Promise<number> =>
  Number(
    (
      await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

test('stored counts match a recount after any history of two libraries and any roll-ups', async () => {
  const history = fc.array(anyStep, { minLength: 1, maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const userIds = [(await buildUser(db)).id, (await buildUser(db)).id];
      for (const { run } of steps) await run(db, userIds);
      await expectCountsRight(db);
      await rollUpAll();
      assert.deepEqual(await findAllCountErrors(db), []);
      await db.deleteFrom('users').execute();
      await rollUpAll(7);
      assert.equal(await countRows('counts'), 0, 'nothing is left of deleted users');
    }),
    { numRuns: runs(25) },
  );
});

test('counts are right after concurrent changes with roll-ups in between', async () => {
  const users = await Promise.all(Array.from({ length: 3 }, () => buildUser(db)));
  const items = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      buildMediaItem(db, users[n % 3]!.id, { local_time: `2022-04-03T1${n % 3}:00:00` }),
    ),
  );
  const writing = new AbortController();
  const rollingUp = Array.from({ length: 3 }, async () => {
    let rolledUp = 0;
    while (!writing.signal.aborted) rolledUp += await rollUpCounts(db, 25);
    return rolledUp;
  });
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; n < 40; n++) {
      const item = items[(writer * 17 + n * 7) % items.length]!;
      await sql`
        update media_items set is_favourite = not is_favourite, is_hidden = ${n % 3 === 0},
          local_time = local_time + ${n % 5} * interval '17 minutes', status = ${n % 2 === 0 ? 'READY' : 'PROCESSING'}
        where id = ${item.id}`.execute(db);
      if (n % 4 === 0) await buildMediaItem(db, users[n % 3]!.id);
      if (n % 10 === 9) await db.deleteFrom('media_items').where('id', '=', item.id).execute();
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  writing.abort();
  const rolledUp = (await Promise.all(rollingUp)).reduce((sum, n) => sum + n);
  assert(rolledUp > 100, `only ${rolledUp} deltas were rolled up meanwhile`);
  await expectCountsRight(db);
  await rollUpAll();
  await expectCountsRight(db);
});

test('sums stay the same for readers before, during and after roll-ups', async () => {
  const user = await buildUser(db);
  for (let n = 0; n < 200; n++) await buildMediaItem(db, user.id, { local_time: `2022-04-${10 + (n % 20)}T12:00:00` });
  const seen = new Set<number>();
  const rollingUp = new AbortController();
  const read = async (): Promise<void> => {
    while (!rollingUp.signal.aborted) seen.add(await countMediaItems(db, user.id, { visibility: 'visible' }));
  };
  const readers = [read(), read(), read()];
  await rollUpAll(5);
  rollingUp.abort();
  await Promise.all(readers);
  assert.deepEqual([...seen], [200]);
});

test('one statement appends one delta per day and kind, and none if no count changes', async () => {
  const user = await buildUser(db);
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
    select gen_random_uuid(), ${user.id}, sha256(n::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(),
      timestamp '2022-04-03 12:00' + n % 3 * interval '1 day'
    from generate_series(1, 600) as n`.execute(db);
  assert.equal(await countRows('count_deltas'), 3);
  await sql`update media_items set is_favourite = true`.execute(db);
  assert.equal(await countRows('count_deltas'), 3 + 6);
  await sql`update media_items set description = 'x', is_favourite = is_favourite`.execute(db);
  await sql`update media_items set local_time = local_time + interval '1 minute'`.execute(db);
  assert.equal(await countRows('count_deltas'), 9);
  await expectCountsRight(db);
});

test('rolls up at most the given number of deltas and returns their number', async () => {
  const user = await buildUser(db);
  for (let n = 0; n < 5; n++) await buildMediaItem(db, user.id);
  assert.deepEqual([await rollUpCounts(db, 3), await rollUpCounts(db, 3), await rollUpCounts(db, 3)], [3, 2, 0]);
  assert.equal(await countRows('counts'), 2);
});

test('counts one item for an upload that becomes READY on the day it was taken', async () => {
  const user = await buildUser(db);
  const { id } = await buildMediaItem(db, user.id, { local_time: '2026-11-21T09:00:00' });
  for (const changes of [{ local_time: '1998-08-01T10:30:00', category: 'LIVE' } as const, {}]) {
    const claim = await claimRun(db, id, 'media', 60_000);
    await recordOutcome(db, claim!, { state: 'DONE', changes, warnings: [] });
  }
  assert.equal(await countMediaItems(db, user.id, { visibility: 'visible' }), 1);
  assert.equal(await countMediaItems(db, user.id, { visibility: 'visible', category: 'LIVE', status: 'READY' }), 1);
  await rollUpAll();
  await expectCountsRight(db);
});

test('deletes counts of zero and keeps the others', async () => {
  const user = await buildUser(db);
  const item = await buildMediaItem(db, user.id);
  await rollUpAll();
  await db.updateTable('media_items').set({ is_favourite: true }).where('id', '=', item.id).execute();
  await rollUpAll();
  assert.equal(await countRows('counts'), 3);
  await deleteEmptyCounts(db);
  assert.equal(await countRows('counts'), 2);
  await expectCountsRight(db);
});

test('reports a wrong count with its day, stored value and recount', async () => {
  const user = await buildUser(db);
  await buildMediaItem(db, user.id);
  await rollUpAll();
  const expectError = async (damage: ReturnType<typeof sql>, day: string, kept: number, found: number) => {
    await damage.execute(db);
    assert.deepEqual(await findAllCountErrors(db), [{ listId: user.id, day, kept, found }]);
  };
  await expectError(sql`update counts set days[3] = 3, n = 3 where type is null`, '2022-04-03', 3, 1);
  await expectError(sql`update counts set days[3] = 1, n = 1 + (type is null)::int`, '2022-04-01', 1, 0);
  await expectError(sql`delete from counts where type is null`, '2022-04-03', 0, 1);
});
