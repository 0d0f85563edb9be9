import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { buildMediaItem, buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { abandonItems, deleteAbandonedItems } from './abandonedItems.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { insertMediaItem } from './insertMediaItem.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const user = await buildUser(db);

const abandon = (ids: readonly string[]): Promise<string[]> => transaction(db, (trx) => abandonItems(trx, ids));

test('abandons only items that do not exist, and can be repeated', async () => {
  const [{ id: kept }, unknown] = [await buildMediaItem(db, user.id), randomUUID()];
  for (let times = 0; times < 2; times++) assert.deepEqual(await abandon([kept, unknown]), [unknown]);
});

test('abandons neither an active upload nor an expired one that a request has claimed', async () => {
  const [active, claimed, expired] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`
    insert into uploads (id, user_id, metadata, length_bytes, part_bytes, expires_at, claim_id, claimed_until)
    values (${active}, ${user.id}, '', 1, 1, now() + interval '1 day', null, null),
      (${claimed}, ${user.id}, '', 1, 1, now(), ${randomUUID()}, now() + interval '1 day'),
      (${expired}, ${user.id}, '', 1, 1, now(), ${randomUUID()}, now())`.execute(db);
  assert.deepEqual(await abandon([active, claimed, expired]), [expired]);
});

test('rejects an abandoned item until its record is deleted', async () => {
  const item = newMediaItem(user.id);
  await abandon([item.id]);
  await deleteAbandonedItems(db, 1);
  await assert.rejects(insertMediaItem(db, item), {
    status: 503,
    message: 'the upload timed out; send it again',
  });
  await deleteAbandonedItems(db, -1);
  assert.deepEqual(await insertMediaItem(db, item), { id: item.id, isNew: true });
});

test('waits for an insert in progress and does not abandon its item', async () => {
  const item = newMediaItem(user.id);
  const abandoning = await transaction(db, async (trx) => {
    await insertMediaItem(trx, item);
    const promise = abandon([item.id]);
    await waitUntilBlocked(db, 'pg_advisory_xact_lock');
    return { promise };
  });
  assert.deepEqual(await abandoning.promise, []);
});

test('an insert waits for an abandonment in progress, and is rejected if its item is included', async () => {
  const item = newMediaItem(user.id);
  const inserting = await transaction(db, async (trx) => {
    await abandonItems(trx, [item.id]);
    const promise = insertMediaItem(db, item);
    promise.catch(() => undefined);
    await waitUntilBlocked(db, 'pg_advisory_xact_lock_shared');
    return { promise };
  });
  await assert.rejects(inserting.promise, { code: 'UNAVAILABLE' });
});

test('inserts do not wait for each other', async () => {
  await transaction(db, async (trx) => {
    await insertMediaItem(trx, newMediaItem(user.id));
    await insertMediaItem(db, newMediaItem(user.id));
  });
});
