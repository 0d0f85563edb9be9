import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntilBlocked } from '@hearth/testkit/database/blockedQueries.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { acquireLease, holdLease, LeaseLostError, releaseLease } from './leases.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);

const [first, second] = [randomUUID(), randomUUID()];
const hour = 3_600_000;

const expire = async (name: string): Promise<void> => {
  await db
    .updateTable('leases')
    .set({ held_until: new Date(0) })
    .where('name', '=', name)
    .execute();
};

const hold = (lease: { name: string; fencing: number }): Promise<void> =>
  transaction(db, (trx) => holdLease(trx, lease));

test('has one holder, who keeps the fencing number while renewing in time', async () => {
  const lease = await acquireLease(db, 'one', first, hour);
  assert.deepEqual(lease, { name: 'one', fencing: 1 });
  assert.equal(await acquireLease(db, 'one', second, hour), undefined);
  assert.deepEqual(await acquireLease(db, 'one', first, hour), lease);
  await hold(lease);
});

test('keeps leases of different names independent', async () => {
  assert.notEqual(await acquireLease(db, 'left', first, hour), undefined);
  assert.notEqual(await acquireLease(db, 'right', second, hour), undefined);
});

test('gives a free lease to only one of many concurrent processes, with a higher fencing number each time', async () => {
  for (let round = 1; round <= 10; round++) {
    const leases = await Promise.all(Array.from({ length: 12 }, () => acquireLease(db, 'wanted', randomUUID(), hour)));
    assert.deepEqual(
      leases.filter((lease) => lease !== undefined),
      [{ name: 'wanted', fencing: round }],
    );
    await expire('wanted');
  }
});

test('rejects writes of a holder whose lease has expired or was taken over', async () => {
  const old = await acquireLease(db, 'taken', first, hour);
  await expire('taken');
  await assert.rejects(hold(old!), LeaseLostError);
  const taken = await acquireLease(db, 'taken', second, hour);
  assert.equal(taken?.fencing, old!.fencing + 1);
  await assert.rejects(hold(old!), /the lease "taken" with fencing number 1 is no longer held by this process/);
  await hold(taken);
});

test('gives a new fencing number to a holder that renews too late', async () => {
  const old = await acquireLease(db, 'late', first, hour);
  await expire('late');
  const renewed = await acquireLease(db, 'late', first, hour);
  assert.equal(renewed?.fencing, old!.fencing + 1);
  await assert.rejects(hold(old!), LeaseLostError);
});

test('cannot be taken over while a transaction holds it, even after it has expired', async () => {
  const lease = await acquireLease(db, 'held', first, 1_000);
  const takeOver = await transaction(db, async (trx) => {
    await holdLease(trx, lease!);
    await delay(1_100);
    const promise = acquireLease(db, 'held', second, hour);
    await waitUntilBlocked(db, 'into leases');
    return { promise };
  });
  assert.deepEqual(await takeOver.promise, { name: 'held', fencing: lease!.fencing + 1 });
});

test('a process frozen in a transaction blocks the lease for seconds, not for a minute', async () => {
  const lease = await acquireLease(db, 'frozen', first, 1_000);
  const frozen = transaction(db, async (trx) => {
    await holdLease(trx, lease!);
    // Expired, but blocked until the transaction ends.
    await delay(1_100);
    return acquireLease(db, 'frozen', second, hour);
  });
  const never = delay(40_000, undefined, { ref: false });
  await assert.rejects(
    Promise.race([frozen, never]),
    /Connection terminated|idle-in-transaction timeout|not queryable/,
  );
  assert.equal(await acquireLease(db, 'frozen', first, hour), undefined, 'held by the other process');
});

test('is free after a release, which only the current holder can do', async () => {
  const lease = await acquireLease(db, 'given', first, hour);
  await releaseLease(db, { ...lease!, fencing: lease!.fencing - 1 });
  assert.equal(await acquireLease(db, 'given', second, hour), undefined);
  await releaseLease(db, lease!);
  await assert.rejects(hold(lease!), LeaseLostError);
  assert.deepEqual(await acquireLease(db, 'given', second, hour), { name: 'given', fencing: 2 });
});
