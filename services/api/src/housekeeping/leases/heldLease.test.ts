import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { competeForLease, leaseMs } from './heldLease.ts';

const { db, url, drop } = await createMigratedDatabase();
after(drop);

const findRow = async (name: string) => {
  const rows = await queryOnce<{ leftMs: number; version: string }>(
    url,
    `select 1000 * extract(epoch from held_until - clock_timestamp())::float8 as "leftMs", xmin || ' ' || xmax as version
    from leases where name = $1`,
    [name],
  );
  return rows[0]!;
};

const expire = async (name: string): Promise<void> => {
  await db
    .updateTable('leases')
    .set({ held_until: new Date(0) })
    .where('name', '=', name)
    .execute();
};

test('takes over from a killed holder as soon as the lease expires, within seconds', async () => {
  const [killed, next] = [competeForLease(db, 'killed'), competeForLease(db, 'killed')];
  assert.equal((await killed.find())?.fencing, 1);
  assert.ok(leaseMs <= 6_000 && (await findRow('killed')).leftMs <= leaseMs);
  assert.equal(await next.find(), undefined);
  await expire('killed');
  assert.equal((await next.find())?.fencing, 2);
});

test('writes nothing while waiting, and does not renew at every call while holding', async () => {
  const [holder, waiting] = [competeForLease(db, 'kept'), competeForLease(db, 'kept')];
  await holder.find();
  const before = await findRow('kept');
  for (let times = 0; times < 3; times++) {
    assert.equal(await waiting.find(), undefined);
    await holder.find();
  }
  assert.equal((await findRow('kept')).version, before.version);
});

test('queries the database at once after it was invalidated, as after a database failure', async () => {
  const holder = competeForLease(db, 'invalidated');
  await holder.find();
  await expire('invalidated');
  holder.invalidate();
  assert.equal((await holder.find())?.fencing, 2);
});
