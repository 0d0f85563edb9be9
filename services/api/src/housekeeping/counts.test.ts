import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { listCollectionBatches } from '../lists/recount.ts';
import { acquireLease } from './leases/leases.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { captureStatements } from '@hearth/testkit/database/statements.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { checkCounts } from './counts.ts';

const api = await startTestApi();
const { deps } = api;
const { db, config } = deps;
after(() => api.stop());
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
const userIds = [(await buildUser(db)).id, (await buildUser(db)).id].toSorted();
await fillDatabase(
  config.databaseUrl,
  userIds.map((userId) => ({ userId, items: 200 })),
);

/** Runs the check and returns the list ids of each log line. Calls `onError` for each line. */
const check = async (onError: () => void, signal: AbortSignal): Promise<ReadonlySet<string>[]> => {
  const reports: ReadonlySet<string>[] = [];
  const error = ({ errors = [] }: { readonly errors?: readonly { readonly listId: string }[] }): void => {
    reports.push(new Set(errors.map(({ listId }) => listId)));
    onError();
  };
  await checkCounts({ ...deps, log: { ...deps.log, error } }, lease, signal);
  return reports;
};

const never = new AbortController().signal;
const listListIds = async (userId: string) => [userId, ...(await listCollectionBatches(db, userId)).flat()];

test('logs wrong counts per account, and stops between accounts when aborted', async () => {
  assert.deepEqual(await check(() => undefined, never), []);
  const listIdsByUser = await Promise.all(userIds.map(listListIds));
  const damaged = [...userIds, listIdsByUser[1]!.find((id) => id !== userIds[1])!];
  await queryOnce(config.databaseUrl, 'update collections set item_count = item_count + 1 where id = $1', [damaged[2]]);
  await queryOnce(config.databaseUrl, 'update counts set n = n + 1 where list_id = any($1)', [userIds]);
  const stopping = new AbortController();
  assert.deepEqual(await check(() => stopping.abort(), stopping.signal), [new Set([userIds[0]])]);
  assert.deepEqual(await check(() => undefined, never), [new Set([userIds[0]]), new Set(damaged.slice(1))]);
});

test('runs no statement after an abort', async () => {
  assert.deepEqual(await captureStatements(() => checkCounts(deps, lease, AbortSignal.abort())), []);
});

test('recounts lists of one account per statement', async () => {
  const listIdsByUser = await Promise.all(userIds.map(listListIds));
  const statements = await captureStatements(() => checkCounts(deps, lease, never));
  const reads = statements.filter(({ text }) => /^\s*select\b/.test(text) && /\bcounts\b/.test(text));
  assert.ok(reads.length >= 8);
  for (const { text, values } of reads) {
    const named = values.flat().filter((value) => /^[0-9a-f-]{36}$/.test(String(value)));
    assert.ok(named.length > 0 && listIdsByUser.some((ids) => named.every((id) => ids.includes(String(id)))), text);
  }
});

test('deletes counts of zero, some thousands at a time', async () => {
  await queryOnce(
    config.databaseUrl,
    `insert into counts select $1, $1, 'trash', date '1990-01-01' + n * interval '1 month', 'PHOTO', 'DEFAULT', 'READY', true, 0, array_fill(0, array[31])
      from generate_series(1, 5100) as n`,
    [userIds[0]],
  );
  const statements = await captureStatements(() => checkCounts(deps, lease, never));
  assert.equal(statements.filter(({ text }) => /delete from "?counts\b/.test(text)).length, 2);
  assert.deepEqual(await db.selectFrom('counts').select('n').where('n', '=', 0).execute(), []);
});
