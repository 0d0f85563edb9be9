import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countBlocked, countIdleTransactions, withBlockedSearches } from '@hearth/testkit/database/blockedQueries.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const [many, other] = [await api.signUp(), await api.signUp()];
after(() => api.stop());

test('twenty searches of one user take two connections, while lists and searches of others continue', async () => {
  await other.uploadPhoto({ filename: 'garden.jpg' });
  await many.uploadPhoto({ filename: 'beach.jpg' });
  let answers: ReturnType<typeof many.call<'searchMediaItems'>>[] = [];
  await withBlockedSearches(api.deps, async () => {
    answers = Array.from({ length: 20 }, () => many.call('searchMediaItems', { query: { q: 'beach' } }));
    await waitUntil('two searches wait', async () => (await countBlocked(api.deps.db, 'search_words')) >= 2);
    // Searches beyond the queue are refused while the others still wait.
    await Promise.race(answers);
    const { status, body } = await other.call('listMediaItems', {});
    assert.deepEqual([status, body.length], [200, 1]);
    assert.ok((await countBlocked(api.deps.db, 'search_words')) <= 2);
  });
  // The exact number depends on how many arrive in time to fill the queue.
  const ended = await Promise.all(answers);
  const refused = ended.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 1 && refused.length <= 10, `${refused.length} were refused`);
  assert.equal(refused[0]!.headers.get('retry-after'), '3');
  assert.deepEqual(
    ended.filter(({ status }) => ![200, 429, 503].includes(status)),
    [],
  );
  assert.equal((await many.call('searchMediaItems', { query: { q: 'beach' } })).status, 200);
});

test('cancels a search that takes too long, with an error', async () => {
  await withBlockedSearches(api.deps, async () => {
    const { status, error, headers } = await many.call('searchMediaItems', { query: { q: 'beach' } });
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '5']);
    assert.match(error.message, /timed out/);
  });
  assert.equal((await many.call('searchMediaItems', { query: { q: 'beach' } })).status, 200);
});

test('searches that wait for embeddings hold no connection, and fall back to words after a timeout', async () => {
  const { deps } = api;
  const users = await Promise.all(Array.from({ length: 10 }, () => api.signUp()));
  for (const user of users) await user.uploadPhoto({ filename: 'castle.jpg' });
  const { embedQuery } = deps;
  // More searches than connections, each with a model that does not respond in time.
  const [all, over] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let waiting = 0;
  const hang: typeof embedQuery = () => {
    if ((waiting += 1) === 20) all.resolve(undefined);
    return over.promise;
  };
  Object.assign(deps, { embedQuery: hang });
  try {
    const searches = users.flatMap((user) =>
      ['castle', 'castle jpg'].map((q) => user.call('searchMediaItems', { query: { q } })),
    );
    await all.promise;
    assert.equal(await countIdleTransactions(deps.db), 0);
    assert.equal((await users[0]!.call('listMediaItems', {})).status, 200);
    over.resolve(undefined);
    for (const { status, headers, body } of await Promise.all(searches))
      assert.deepEqual([status, headers.get('x-search-mode'), body.length], [200, 'text', 1]);
  } finally {
    over.resolve(undefined);
    Object.assign(deps, { embedQuery });
  }
});
