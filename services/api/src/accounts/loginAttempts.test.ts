import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import {
  createAttemptSubject,
  startAttempt,
  deleteOldAttempts,
  failAttempt,
  cancelAttempt,
  deleteFailures,
  isKnownNetwork,
  evaluateAttempt,
  recordKnownNetwork,
  type AttemptSubject,
} from './loginAttempts.ts';
import { toUsernameKey } from './usernameKey.ts';
import { findUserByUsername } from './users.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);

const account = (name: string = randomUUID()): AttemptSubject => createAttemptSubject('accountFrom', name, 'home');
const everywhere = (name: string = randomUUID()): AttemptSubject => createAttemptSubject('account', name);
const address = (name: string = randomUUID()): AttemptSubject => createAttemptSubject('address', name);

const start = async (subjects: readonly AttemptSubject[]): Promise<string> => {
  const started = await startAttempt(db, subjects);
  assert.ok(started.state === 'allowed', started.state);
  return started.id;
};

const fail = async (subjects: readonly AttemptSubject[], times = 1): Promise<void> => {
  for (let i = 0; i < times; i++) await failAttempt(db, await start(subjects));
};

const getState = async (...subjects: AttemptSubject[]): Promise<string> => (await evaluateAttempt(db, subjects)).state;

/** Moves the clock forward for all attempts. */
const advanceClock = async (seconds: number): Promise<void> => {
  await sql`update login_attempts set at = at - ${seconds} * interval '1 second'`.execute(db);
};

test('refuses the sixth attempt on an account from one network', async () => {
  const ada = account();
  await fail([ada, address()], 5);
  assert.equal(await getState(ada, address()), 'refused');
  assert.equal((await startAttempt(db, [ada, address()])).state, 'refused');
  assert.equal(await getState(account(), address()), 'allowed');
});

test('refuses the twenty-first attempt from one address, on any account', async () => {
  const router = address();
  for (let i = 0; i < 20; i++) await fail([account(), router]);
  assert.equal(await getState(account(), router), 'refused');
  assert.equal(await getState(account(), address()), 'allowed');
});

test('allows one attempt every 30 s after fifty failures within an hour from everywhere', async () => {
  const ada = everywhere();
  await fail([ada], 49);
  await advanceClock(3_000);
  assert.equal(await getState(ada), 'allowed');
  await fail([ada]);
  const decision = await evaluateAttempt(db, [ada]);
  assert.ok(decision.state === 'refused' && [29, 30].includes(decision.retryAfterSeconds), JSON.stringify(decision));
  await advanceClock(30);
  const started = await Promise.all(Array.from({ length: 5 }, () => startAttempt(db, [ada])));
  assert.deepEqual(started.map(({ state }) => state).toSorted(), ['allowed', ...Array(4).fill('unsettled')]);
  for (const attempt of started) if (attempt.state === 'allowed') await failAttempt(db, attempt.id);
  assert.equal(await getState(ada), 'refused');
  await advanceClock(600);
  assert.equal(await getState(ada), 'allowed');
});

test('reports the longest of several refusals and its subject', async () => {
  const [ada, router] = [account(), address()];
  for (let i = 0; i < 20; i++) await fail([account(), router]);
  await advanceClock(20);
  await fail([ada], 5);
  const decision = await evaluateAttempt(db, [ada, router]);
  assert.ok(decision.state === 'refused' && decision.subject === ada && decision.retryAfterSeconds > 50);
});

test('remembers a network for 30 days after the last sign-in, for this account only', async () => {
  const [ada, grace] = [account(), account()];
  assert.equal(await isKnownNetwork(db, ada), false);
  assert.deepEqual([await recordKnownNetwork(db, ada), await recordKnownNetwork(db, ada)], [true, false]);
  assert.deepEqual([await isKnownNetwork(db, ada), await isKnownNetwork(db, grace)], [true, false]);
  await sql`update known_networks set at = at - interval '29 days'`.execute(db);
  assert.equal(await isKnownNetwork(db, ada), true);
  assert.equal(await recordKnownNetwork(db, ada), true);
  await sql`update known_networks set at = at - interval '30 days'`.execute(db);
  assert.equal(await isKnownNetwork(db, ada), false);
  await deleteOldAttempts(db);
  const { rows } = await sql`select from known_networks`.execute(db);
  assert.equal(rows.length, 0);
});

test('refuses attempts until enough failures are 60 s old, and reports the remaining time', async () => {
  const ada = account();
  for (let i = 0; i < 5; i++) {
    await fail([ada, address()]);
    await advanceClock(10);
  }
  // The failures are 10, 20 … 50 s old.
  const decision = await evaluateAttempt(db, [ada, address()]);
  assert.ok(decision.state === 'refused' && [9, 10].includes(decision.retryAfterSeconds), JSON.stringify(decision));
  await advanceClock(10);
  await fail([ada, address()]);
  assert.equal(await getState(ada), 'refused', 'only one new attempt for the one failure that is old enough');
});

test('does not count a refused attempt', async () => {
  const ada = account();
  await fail([ada, address()], 5);
  await advanceClock(59);
  assert.equal((await startAttempt(db, [ada, address()])).state, 'refused');
  await advanceClock(1);
  assert.equal(await getState(ada), 'allowed');
});

test('starts no more concurrent attempts than may fail', async () => {
  const subjects = [account(), address()];
  const started = await Promise.all(Array.from({ length: 50 }, () => startAttempt(db, subjects)));
  const ids = started.flatMap((attempt) => (attempt.state === 'allowed' ? [attempt.id] : []));
  assert.equal(ids.length, 5);
  assert.equal(started.filter(({ state }) => state === 'unsettled').length, 45);
  for (const id of ids) await failAttempt(db, id);
  assert.equal(await getState(...subjects), 'refused');
});

test('does not deadlock on concurrent attempts that share accounts and addresses', async () => {
  const [accounts, addresses] = [
    Array.from({ length: 3 }, () => account()),
    Array.from({ length: 3 }, () => address()),
  ];
  const started = await Promise.all(
    Array.from({ length: 60 }, (_, i) => startAttempt(db, [accounts[i % 3]!, addresses[Math.floor(i / 3) % 3]!])),
  );
  assert.equal(started.filter(({ state }) => state === 'allowed').length, 15);
});

test('does not count a cancelled attempt, and counts an abandoned one as failed after 30 s', async () => {
  const ada = account();
  await fail([ada, address()], 4);
  const cancelled = await start([ada, address()]);
  assert.equal(await getState(ada), 'unsettled');
  await cancelAttempt(db, cancelled);
  assert.equal(await getState(ada), 'allowed');
  await start([ada, address()]);
  assert.equal(await getState(ada), 'unsettled');
  await advanceClock(30);
  const decision = await evaluateAttempt(db, [ada]);
  assert.ok(decision.state === 'refused' && [29, 30].includes(decision.retryAfterSeconds), JSON.stringify(decision));
  await deleteFailures(db, ada);
  assert.equal(await getState(ada), 'allowed');
});

test('clears the count of the account after a success, but not of the address or of pending attempts', async () => {
  const [ada, router] = [account(), address()];
  await fail([ada, router], 4);
  const pending = await start([ada, router]);
  await deleteFailures(db, ada);
  assert.equal(await getState(ada, router), 'allowed');
  await failAttempt(db, pending);
  await fail([ada, router], 4);
  assert.equal(await getState(ada), 'refused');
  await deleteFailures(db, ada);
  for (let i = 0; i < 11; i++) await fail([account(), router]);
  assert.equal(await getState(ada), 'allowed');
  assert.equal(await getState(router), 'refused');
});

test('counts a user and the administrator with the same name separately', async () => {
  await fail([account('root'), address()], 5);
  assert.equal(await getState(createAttemptSubject('administratorFrom', 'root', 'home')), 'allowed');
  assert.equal(await getState(address('root')), 'allowed');
});

for (const [name, variants] of [
  ['émile', ['ÉMILE', 'Émile']],
  ['istanbul', ['ISTANBUL', 'İSTANBUL', 'İstanbul']],
  ['ΟΔΥΣΣΕΥΣ', ['οδυσσευσ', 'οδυσσευς']],
] as const) {
  test(`counts all spellings of the account ${name} together`, async () => {
    await buildUser(db, { username: name });
    for (const variant of variants) {
      const isFound = (await findUserByUsername(db, variant)) !== undefined;
      await fail([account(toUsernameKey(variant)), address()], 5);
      const state = await getState(account(toUsernameKey(name)));
      if (isFound) assert.equal(state, 'refused', variant);
      await sql`delete from login_attempts`.execute(db);
    }
  });
}

test('stores no names or addresses in plain text', async () => {
  await fail([account('a password typed in the wrong place'), address('192.0.2.1')]);
  const { rows } = await sql<{ text: string }>`
    select encode(subject, 'escape') as text from login_attempts`.execute(db);
  for (const { text } of rows) assert.doesNotMatch(text, /password|192\.0/);
});

test('deletes only attempts older than an hour', async () => {
  const ada = account();
  await fail([ada, address()], 2);
  await advanceClock(3_601);
  await fail([ada, address()]);
  assert.ok((await deleteOldAttempts(db)) >= 4);
  assert.equal(await deleteOldAttempts(db), 0);
  const { rows } = await sql`select from login_attempts`.execute(db);
  assert.equal(rows.length, 2);
});
