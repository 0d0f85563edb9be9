import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { removeAccount } from '@hearth/testkit/rows/removeAccount.ts';
import { findEventStart, formatEventId, listEvents, trimEvents, type LibraryEvent } from './events.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { presentMediaItem } from '../lists/mediaItem.ts';
import { insertMediaItem } from '../ingest/insertMediaItem.ts';
import { markForRemoval } from '../features/trash/queries.ts';
import { deleteRemovedItems } from '../features/trash/removal.ts';
import { markUserForRemoval } from '../accounts/users.ts';
import { updateMediaItem } from '../features/media-items/queries.ts';
import { setTrashed } from '../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

/** Reads a user's events after `lastId`. Waits, because open transactions of other tests may delay them. */
const read = async (userId: string, lastId: string | undefined, atLeast: number): Promise<LibraryEvent[]> => {
  const { position } = await findEventStart(db, userId, lastId);
  for (;;) {
    const [events] = await listEvents(db, [{ userId, after: position }], 10_000);
    assert.ok(events);
    if (events.length >= atLeast) return events;
    await delay(20);
  }
};

/** Returns the id of the current end of a user's events. */
const getLastEventId = async (userId: string): Promise<string> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from events where user_id = ${userId}`.execute(db);
  const events = await read(userId, await getFirstEventId(userId), rows[0]!.n);
  return events.length === 0 ? getFirstEventId(userId) : formatEventId(events.at(-1)!.position);
};

const getFirstEventId = async (userId: string): Promise<string> => {
  const { position } = await findEventStart(db, userId);
  return formatEventId({ ...position, xid: 0n, id: 0 });
};

const summarise = (events: readonly LibraryEvent[]) =>
  events.map(({ subjectId, change, item }) => [change, subjectId, item?.status]);

test("reports an item's changes in order, with its current state", async () => {
  const { id: userId } = await buildUser(db);
  const { id } = await buildMediaItem(db, userId);
  await updateMediaItem(db, userId, id, { favourite: true });
  await setTrashed(db, userId, [id], true);
  const beginning = await getFirstEventId(userId);
  const events = await read(userId, beginning, 3);
  assert.deepEqual(summarise(events), [
    ['created', id, 'PROCESSING'],
    ['updated', id, 'PROCESSING'],
    ['updated', id, 'PROCESSING'],
  ]);
  assert.deepEqual(events[0]!.item, {
    status: 'PROCESSING',
    isFavourite: true,
    isHidden: false,
    isTrashed: true,
    isMotionHalf: false,
    localTime: '2022-04-03T12:56:11',
  });

  const place = formatEventId(events[2]!.position);
  await markForRemoval(db, userId, id);
  await deleteRemovedItems(db, [id]);
  const rest = await read(userId, place, 1);
  assert.deepEqual(summarise(rest), [['removed', id, undefined]], 'the later deletion of the row is not reported');
});

/** Formats everything that clients see of an item. */
const shown = (row: MediaItemRow): string => {
  const links = { sign: ({ key }: { readonly key: string }) => key };
  const item = presentMediaItem({ links, sharedIds: new Set() }, { ...row, updated_at: new Date(0) });
  return JSON.stringify([item, row.visibility]);
};

test('reports changes of exactly the columns that clients see', async () => {
  const { id: userId } = await buildUser(db);
  const { rows } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_name = 'media_items' and is_generated = 'NEVER'`.execute(db);
  const values: Record<string, unknown> = {
    text: 'other',
    uuid: randomUUID(),
    bigint: 7,
    integer: 1,
    boolean: true,
    'double precision': 7.5,
    'timestamp with time zone': new Date('2001-01-01'),
    'timestamp without time zone': '2001-01-01T00:00:00',
    bytea: randomBytes(32),
  };
  for (const { name, type } of rows.filter(
    (column) => !['id', 'user_id', 'created_at', 'updated_at'].includes(column.name),
  )) {
    const before = await buildMediaItem(db, userId);
    const place = await getLastEventId(userId);
    assert.ok(type in values, `a value of type ${type}`);
    const { rows: changed } = await sql<MediaItemRow>`
      update media_items set ${sql.ref(name)} = ${values[type]}, updated_at = now() where id = ${before.id} returning *`.execute(
      db,
    );
    const reported =
      await sql`select from events where user_id = ${userId} and xid > ${place.split('-')[1]}::xid8`.execute(db);
    const isSeen = shown(before) !== shown(changed[0]!);
    assert.equal(
      reported.rows.length,
      isSeen ? 1 : 0,
      `${name}: see the columns that clients see in 0010_operations.sql`,
    );
  }
});

test('reports only the items that a bulk statement changes', async () => {
  const { id: userId } = await buildUser(db);
  const items = [];
  for (let n = 0; n < 20; n++) items.push(await buildMediaItem(db, userId, { is_favourite: n % 2 === 0 }));
  const place = await getLastEventId(userId);
  await sql`update media_items set is_favourite = true, updated_at = now() where user_id = ${userId}`.execute(db);
  const reported = (await read(userId, place, 10)).map(({ subjectId }) => subjectId);
  assert.deepEqual(reported.toSorted(), items.flatMap(({ id, is_favourite }) => (is_favourite ? [] : [id])).toSorted());
});

test('reports nothing for an upload of existing bytes, unless it restores their item', async () => {
  const { id: userId } = await buildUser(db);
  const item = await buildMediaItem(db, userId);
  const { visibility: _, ...again } = item;
  const place = await getLastEventId(userId);
  await insertMediaItem(db, { ...again, id: randomUUID() });
  await setTrashed(db, userId, [item.id], true);
  await insertMediaItem(db, { ...again, id: randomUUID() });
  assert.deepEqual(
    (await read(userId, place, 2)).map(({ change }) => change),
    ['updated', 'updated'],
  );
});

test('reports no events of other users', async () => {
  const [one, other] = [await buildUser(db), await buildUser(db)];
  const beginning = await getFirstEventId(one.id);
  const item = await buildMediaItem(db, one.id);
  await buildMediaItem(db, other.id);
  assert.deepEqual(summarise(await read(one.id, beginning, 1)), [['created', item.id, 'PROCESSING']]);
  // Even an event that names another user's item must not reveal it.
  await sql`insert into events (user_id, kind, subject_id, change) values (${other.id}, 'mediaItem', ${item.id}, 'updated')`.execute(
    db,
  );
  const [, forged] = await read(other.id, beginning, 2);
  assert.deepEqual([forged?.subjectId, forged?.item], [item.id, undefined]);
});

test('deletes the events of a removed user', async () => {
  const { id: userId } = await buildUser(db);
  await buildMediaItem(db, userId);
  await trimEvents(db, { keepHours: 24, keepCount: 0 });
  await buildMediaItem(db, userId);
  await markUserForRemoval(db, userId);
  await removeAccount(db, userId);
  for (const table of ['events', 'event_horizons']) {
    const { rows } = await sql`select from ${sql.table(table)} where user_id = ${userId}`.execute(db);
    assert.equal(rows.length, 0, table);
  }
});

test('resumes after any stored event, and starts over if later events are gone', async () => {
  const { id: userId } = await buildUser(db);
  const beginning = await getFirstEventId(userId);
  for (let n = 0; n < 6; n++) await buildMediaItem(db, userId);
  const events = await read(userId, beginning, 6);
  const ids = events.map(({ position }) => formatEventId(position));
  for (const [index, id] of ids.entries()) {
    assert.equal((await findEventStart(db, userId, id)).isGap, false);
    assert.deepEqual(await read(userId, id, 5 - index), events.slice(index + 1));
  }

  await trimEvents(db, { keepHours: 24, keepCount: 3 });
  for (const [index, id] of [beginning, ...ids].entries()) {
    const { position, isGap } = await findEventStart(db, userId, id);
    assert.equal(isGap, index < 3, `behind ${index} events`);
    assert.equal(
      formatEventId(position),
      isGap ? ids[5] : id,
      'after a gap, a reader continues after the newest event',
    );
  }
  await trimEvents(db, { keepHours: 24, keepCount: 0 });
  assert.deepEqual(await findEventStart(db, userId, ids[5]), { position: events[5]!.position, isGap: false });
  assert.deepEqual(await findEventStart(db, userId), { position: events[5]!.position, isGap: false });
  assert.equal((await findEventStart(db, userId, ids[4])).isGap, true);
});

test('keeps events for a day', async () => {
  const { id: userId } = await buildUser(db);
  await buildMediaItem(db, userId);
  await buildMediaItem(db, userId);
  const place = await getLastEventId(userId);
  await sql`update events set created_at = now() - interval '25 hours' where user_id = ${userId}
    and id = (select min(id) from events where user_id = ${userId})`.execute(db);
  await trimEvents(db, { keepHours: 24, keepCount: 1_000_000 });
  const { rows } = await sql`select id from events where user_id = ${userId}`.execute(db);
  assert.equal(rows.length, 1);
  assert.equal((await findEventStart(db, userId, place)).isGap, false);
});

test('treats an unknown or malformed id as a gap', async () => {
  const { id: userId } = await buildUser(db);
  await buildMediaItem(db, userId);
  const place = await getLastEventId(userId);
  const [cluster, xid, id] = place.split('-');
  for (const wrong of [
    '',
    'x',
    '12',
    `${cluster}-${xid}`,
    `${cluster}-${xid}-${id}-1`,
    `${cluster}-${xid}-`,
    `${cluster}--1-${id}`,
    `${cluster}-${xid}-9999999999999999`,
    `${cluster}-18446744073709551616-1`,
    `${cluster}-99999999999999999999-1`,
    `${cluster}-${BigInt(xid!) + 1_000_000n}-1`,
    `00000000-${xid}-${id}`,
    "' or 1=1 --",
    '\0',
  ]) {
    const start = await findEventStart(db, userId, wrong);
    assert.deepEqual([formatEventId(start.position), start.isGap], [place, true], wrong);
  }
});

test('delivers events on a restored copy of the database', async () => {
  const { id: userId } = await buildUser(db);
  // Simulates a restored dump: its transaction ids are far in this cluster's future.
  const ahead = sql`(pg_current_xact_id()::text::bigint + 1000000)::text::xid8`;
  await sql`insert into events (user_id, xid, kind, subject_id, change)
    values (${userId}, ${ahead}, 'mediaItem', gen_random_uuid(), 'updated')`.execute(db);
  await sql`insert into event_horizons (user_id, xid, id) values (${userId}, ${ahead}, 1)`.execute(db);
  const { position } = await findEventStart(db, userId);
  const { id } = await buildMediaItem(db, userId);
  const events = await read(userId, formatEventId(position), 1);
  assert.deepEqual(summarise(events), [['created', id, 'PROCESSING']]);
  assert.equal((await findEventStart(db, userId, formatEventId(events[0]!.position))).isGap, false);

  const [other] = await listEvents(db, [{ userId, after: { ...position, cluster: '00000000' } }], 10);
  assert.equal(other, undefined, 'a reader from before the restore starts over');
});
