import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { startTestApi } from '../testing/testApi.ts';

const api = await startTestApi();
const [many, other] = [await api.signUp(), await api.signUp()];
after(() => api.stop());

/** Holds up all searches, and nothing else, while `work` runs. */
const whileSearchesWait = async (work: () => Promise<void>): Promise<void> =>
  api.deps.db.transaction().execute(async (trx) => {
    await sql`lock table search_words in access exclusive mode`.execute(trx);
    await work();
  });

const countWaiting = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%search_words%'`.execute(
    api.deps.db,
  );
  return rows[0]!.count;
};

test('twenty searches of one user take two connections, and lists and searches of others go on', async () => {
  await other.uploadPhoto({ filename: 'garden.jpg' });
  await many.uploadPhoto({ filename: 'beach.jpg' });
  let answers: ReturnType<typeof many.call<'searchMediaItems'>>[] = [];
  await whileSearchesWait(async () => {
    answers = Array.from({ length: 20 }, () => many.call('searchMediaItems', { query: { q: 'beach' } }));
    while ((await countWaiting()) < 2);
    // Those that found no place in line are refused while the others still wait.
    await Promise.race(answers);
    const { status, body } = await other.call('listMediaItems', {});
    assert.deepEqual([status, body.length], [200, 1]);
    assert.equal(await countWaiting(), 2);
  });
  const refused = (await Promise.all(answers)).filter(({ status }) => status === 429);
  assert.equal(refused.length, 10);
  assert.equal(refused[0]!.headers.get('retry-after'), '3');
  assert.equal((await Promise.all(answers)).filter(({ status }) => status === 200).length, 10);
  assert.equal((await many.call('searchMediaItems', { query: { q: 'beach' } })).status, 200);
});

test('a search that takes too long is given up, and says so', async () => {
  await whileSearchesWait(async () => {
    const { status, error, headers } = await many.call('searchMediaItems', { query: { q: 'beach' } });
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '5']);
    assert.match(error.message, /took too long/);
  });
  // Its connection is as it was.
  const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(
    api.deps.db,
  );
  assert.equal(rows[0]!.limit, '1min');
  assert.equal((await many.call('searchMediaItems', { query: { q: 'beach' } })).status, 200);
});
