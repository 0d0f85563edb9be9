import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql, type ControlledTransaction } from 'kysely';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { findEventStart, formatEventId, listEvents, type EventPosition } from './events.ts';
import type { Tables } from '@hearth/core/db/schema.ts';

const writers = 4;
const { db, drop } = await createMigratedDatabase({ maxConnections: writers + 1 });
after(drop);

/** Reads all events after a position in batches of `limit`. Returns their ids and the new position. */
const readAll = async (userId: string, from: EventPosition, limit: number) => {
  const seen: string[] = [];
  let position = from;
  for (;;) {
    const [batch = []] = await listEvents(db, [{ userId, after: position }], limit);
    seen.push(...batch.map(({ position }) => formatEventId(position)));
    position = batch.at(-1)?.position ?? position;
    if (batch.length < limit) return { seen, position };
  }
};

const write = async (trx: Database, userId: string): Promise<void> => {
  await sql`insert into events (user_id, kind, subject_id, change)
    values (${userId}, 'mediaItem', gen_random_uuid(), 'updated')`.execute(trx);
};

/** Waits until all events are readable. Open transactions of other tests on this server may delay the last ones. */
const waitUntilReadable = async (userId: string): Promise<void> => {
  for (;;) {
    const { rows } = await sql`
      select from events where user_id = ${userId} and xid >= pg_snapshot_xmin(pg_current_snapshot())`.execute(db);
    if (rows.length === 0) return;
    await delay(5);
  }
};

const listEventIds = async (userId: string): Promise<number[]> => {
  const rows = await db.selectFrom('events').select('id').where('user_id', '=', userId).orderBy('id').execute();
  return rows.map(({ id }) => id);
};

test('does not skip events that an older transaction commits later', async () => {
  const { id: userId } = await buildUser(db);
  const { position } = await findEventStart(db, userId);
  const older = await db.startTransaction().execute();
  const first = await buildMediaItem(older, userId);
  const second = await buildMediaItem(db, userId);
  assert.deepEqual((await readAll(userId, position, 10)).seen, [], 'held back while the older one is open');
  await older.commit().execute();
  await waitUntilReadable(userId);
  const [events] = await listEvents(db, [{ userId, after: position }], 10);
  const subjectIds = events?.map(({ subjectId }) => subjectId);
  assert.deepEqual(subjectIds, [first.id, second.id], 'in the order of the transactions, for every reader');
});

/** A random step: a transaction begins, writes, commits or rolls back, or a reader reads. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('write' as const), writer: fc.nat({ max: writers - 1 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), writer: fc.nat({ max: writers - 1 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rollback' as const), writer: fc.nat({ max: writers - 1 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
);

test('every reader sees each event once and in the same order, in whatever order transactions write and end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { id: userId } = await buildUser(db);
      const open = new Map<number, ControlledTransaction<Tables>>();
      const start = (await findEventStart(db, userId)).position;
      const seen: string[] = [];
      let position = start;
      const read = async (limit: number): Promise<void> => {
        const more = await readAll(userId, position, limit);
        seen.push(...more.seen);
        position = more.position;
      };
      try {
        for (const each of steps) {
          if (each.do === 'read') {
            await read(each.limit);
            continue;
          }
          const trx = open.get(each.writer);
          if (each.do === 'write') {
            const active = trx ?? (await db.startTransaction().execute());
            open.set(each.writer, active);
            await write(active, userId);
          } else if (trx !== undefined) {
            open.delete(each.writer);
            await trx[each.do]().execute();
          }
        }
      } finally {
        for (const trx of open.values()) await trx.commit().execute();
      }
      const written = await listEventIds(userId);
      await waitUntilReadable(userId);
      await read(3);
      const ids = seen.map((id) => Number(id.split('-')[2]));
      assert.deepEqual(
        ids.toSorted((a, b) => a - b),
        written,
      );
      assert.deepEqual((await readAll(userId, start, 1_000)).seen, seen);
    }),
    { numRuns: runs(60) },
  );
});
