import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { listCollectionsInShares } from '@hearth/core/db/collections/collectionCounts.ts';
import { acquireLease } from '@hearth/core/db/connection/leases.ts';
import { fillDatabase } from '@hearth/core/testing/fillDatabase.ts';
import { buildUser } from '@hearth/core/testing/factories.ts';
import { queryOnce } from '@hearth/core/testing/postgres.ts';
import { captureStatements } from '@hearth/core/testing/statements.ts';
import { startTestApi } from '../testing/testApi.ts';
import { checkCounts } from './checkCounts.ts';

const api = await startTestApi();
const { deps } = api;
const { db, config } = deps;
after(() => api.stop());
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
const userIds = [(await buildUser(db)).id, (await buildUser(db)).id].toSorted();
await fillDatabase(
  config.databaseUrl,
  userIds.map((userId) => ({ userId, items: 20, scans: 4_500 })),
);

const damageCells = async (): Promise<void> => {
  await queryOnce(config.databaseUrl, 'update hour_cells set n = n + 1', []);
};

/** Checks, and answers the lists of which each warning speaks; `onWarning` is called with each. */
const check = async (onWarning: () => void, signal: AbortSignal): Promise<string[][]> => {
  const warned: string[][] = [];
  const warn = ({ hours = [] }: { readonly hours?: readonly { readonly listId: string }[] }): void => {
    warned.push(hours.map(({ listId }) => listId));
    onWarning();
  };
  await checkCounts({ ...deps, log: { ...deps.log, warn } }, lease, signal);
  return warned;
};

const never = new AbortController().signal;

test('cells that are wrong are made anew, account by account, and the check ends between two when it is told to', async () => {
  await damageCells();
  const stopping = new AbortController();
  const [first, ...others] = await check(() => stopping.abort(), stopping.signal);
  assert.deepEqual([new Set(first), others], [new Set([userIds[0]]), []]);
  const left = await check(() => undefined, never);
  assert.ok(left.flat().includes(userIds[1]!));
  assert.deepEqual(await check(() => undefined, never), []);
});

test('nothing is asked any more by a check that has been told to end', async () => {
  assert.deepEqual(await captureStatements(() => checkCounts(deps, lease, AbortSignal.abort())), []);
});

test('every statement about cells is about lists of one account', async () => {
  const ofUsers = await Promise.all(userIds.map(async (id) => [id, ...(await listCollectionsInShares(db, id)).flat()]));
  const statements = await captureStatements(() => checkCounts(deps, lease, never));
  const reads = statements.filter(
    ({ text }) => /^\s*(select|with)\b/.test(text) && /hour_bounds|is_divided/.test(text),
  );
  assert.ok(reads.length >= 8);
  for (const { text, values } of reads) {
    const named = values.flat().filter((value) => /^[0-9a-f-]{36}$/.test(String(value)));
    assert.ok(named.length > 0 && ofUsers.some((ids) => named.every((id) => ids.includes(String(id)))), text);
  }
});

test('counts that have come to nothing go, some thousand at a time', async () => {
  await queryOnce(
    config.databaseUrl,
    `insert into counts select $1, 'hour', timestamp '1990-01-01' + n * interval '1 hour', 'trash', 'PHOTO', 'DEFAULT', 'READY', true, 0
      from generate_series(1, 5100) as n`,
    [userIds[0]],
  );
  const statements = await captureStatements(() => checkCounts(deps, lease, never));
  assert.equal(statements.filter(({ text }) => /delete from "?counts\b/.test(text)).length, 2);
  assert.deepEqual(await db.selectFrom('counts').select('n').where('n', '=', 0).execute(), []);
});
