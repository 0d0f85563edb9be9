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

const begin = async (subjects: readonly AttemptSubject[]): Promise<string> => {
  const begun = await startAttempt(db, subjects);
  assert.ok(begun.state === 'allowed', begun.state);
  return begun.id;
};

const fail = async (subjects: readonly AttemptSubject[], times = 1): Promise<void> => {
  for (let i = 0; i < times; i++) await failAttempt(db, await begin(subjects));
};

const stateOf = async (...subjects: AttemptSubject[]): Promise<string> => (await evaluateAttempt(db, subjects)).state;

/** Moves the clock forward for all attempts. */
const pass = async (seconds: number): Promise<void> => {
  await sql`update login_attempts set at = at - ${seconds} * interval '1 second'`.execute(db);
};

test('refuses the sixth attempt on an account from one network', async () => {
  const ada = account();
  await fail([ada, address()], 5);
  assert.equal(await stateOf(ada, address()), 'refused');
  assert.equal((await startAttempt(db, [ada, address()])).state, 'refused');
  assert.equal(await stateOf(account(), address()), 'allowed');
});

test('refuses the twenty-first attempt from one address, on any account', async () => {
  const router = address();
  for (let i = 0; i < 20; i++) await fail([account(), router]);
  assert.equal(await stateOf(account(), router), 'refused');
  assert.equal(await stateOf(account(), address()), 'allowed');
});

test('allows one attempt every 30 s after fifty failures within an hour from everywhere', async () => {
  const ada = everywhere();
  await fail([ada], 49);
  await pass(3_000);
  assert.equal(await stateOf(ada), 'allowed');
  await fail([ada]);
  const judged = await evaluateAttempt(db, [ada]);
  assert.ok(judged.state === 'refused' && [29, 30].includes(judged.retryAfterSeconds), JSON.stringify(judged));
  await pass(30);
  const begun = await Promise.all(Array.from({ length: 5 }, () => startAttempt(db, [ada])));
  assert.deepEqual(begun.map(({ state }) => state).toSorted(), ['allowed', ...Array(4).fill('unsettled')]);
  for (const attempt of begun) if (attempt.state === 'allowed') await failAttempt(db, attempt.id);
  assert.equal(await stateOf(ada), 'refused');
  await pass(600);
  assert.equal(await stateOf(ada), 'allowed');
});

test('reports the longest of several refusals and its subject', async () => {
  const [ada, router] = [account(), address()];
  for (let i = 0; i < 20; i++) await fail([account(), router]);
  await pass(20);
  await fail([ada], 5);
  const judged = await evaluateAttempt(db, [ada, router]);
  assert.ok(judged.state === 'refused' && judged.subject === ada && judged.retryAfterSeconds > 50);
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
    await pass(10);
  }
  // The failures are 10, 20 … 50 s old.
  const judged = await evaluateAttempt(db, [ada, address()]);
  assert.ok(judged.state === 'refused' && [9, 10].includes(judged.retryAfterSeconds), JSON.stringify(judged));
  await pass(10);
  await fail([ada, address()]);
  assert.equal(await stateOf(ada), 'refused', 'one attempt for one that is over');
});

test('does not count a refused attempt', async () => {
  const ada = account();
  await fail([ada, address()], 5);
  await pass(59);
  assert.equal((await startAttempt(db, [ada, address()])).state, 'refused');
  await pass(1);
  assert.equal(await stateOf(ada), 'allowed');
});

test('starts no more concurrent attempts than may fail', async () => {
  const subjects = [account(), address()];
  const begun = await Promise.all(Array.from({ length: 50 }, () => startAttempt(db, subjects)));
  const ids = begun.flatMap((attempt) => (attempt.state === 'allowed' ? [attempt.id] : []));
  assert.equal(ids.length, 5);
  assert.equal(begun.filter(({ state }) => state === 'unsettled').length, 45);
  for (const id of ids) await failAttempt(db, id);
  assert.equal(await stateOf(...subjects), 'refused');
});

test('does not deadlock on concurrent attempts that share accounts and addresses', async () => {
  const [accounts, addresses] = [
    Array.from({ length: 3 }, () => account()),
    Array.from({ length: 3 }, () => address()),
  ];
  const begun = await Promise.all(
    Array.from({ length: 60 }, (_, i) => startAttempt(db, [accounts[i % 3]!, addresses[Math.floor(i / 3) % 3]!])),
  );
  assert.equal(begun.filter(({ state }) => state === 'allowed').length, 15);
});

test('does not count a cancelled attempt, and counts an abandoned one as failed after 30 s', async () => {
  const ada = account();
  await fail([ada, address()], 4);
  const forgotten = await begin([ada, address()]);
  assert.equal(await stateOf(ada), 'unsettled');
  await cancelAttempt(db, forgotten);
  assert.equal(await stateOf(ada), 'allowed');
  await begin([ada, address()]);
  assert.equal(await stateOf(ada), 'unsettled');
  await pass(30);
  const judged = await evaluateAttempt(db, [ada]);
  assert.ok(judged.state === 'refused' && [29, 30].includes(judged.retryAfterSeconds), JSON.stringify(judged));
  await deleteFailures(db, ada);
  assert.equal(await stateOf(ada), 'allowed');
});

test('clears the count of the account after a success, but not of the address or of pending attempts', async () => {
  const [ada, router] = [account(), address()];
  await fail([ada, router], 4);
  const underWay = await begin([ada, router]);
  await deleteFailures(db, ada);
  assert.equal(await stateOf(ada, router), 'allowed');
  await failAttempt(db, underWay);
  await fail([ada, router], 4);
  assert.equal(await stateOf(ada), 'refused');
  await deleteFailures(db, ada);
  for (let i = 0; i < 11; i++) await fail([account(), router]);
  assert.equal(await stateOf(ada), 'allowed');
  assert.equal(await stateOf(router), 'refused');
});

test('counts a user and the administrator with the same name separately', async () => {
  await fail([account('root'), address()], 5);
  assert.equal(await stateOf(createAttemptSubject('administratorFrom', 'root', 'home')), 'allowed');
  assert.equal(await stateOf(address('root')), 'allowed');
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
      const state = await stateOf(account(toUsernameKey(name)));
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
  await pass(3_601);
  await fail([ada, address()]);
  assert.ok((await deleteOldAttempts(db)) >= 4);
  assert.equal(await deleteOldAttempts(db), 0);
  const { rows } = await sql`select from login_attempts`.execute(db);
  assert.equal(rows.length, 2);
});
