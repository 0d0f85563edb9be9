import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countBlocked, countIdleTransactions, withBlockedSearches } from '@hearth/testkit/database/blockedQueries.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const [busyUser, otherUser] = [await api.signUp(), await api.signUp()];
after(() => api.stop());

test('limits one user to two concurrent searches and does not block lists of other users', async () => {
  await otherUser.uploadPhoto({ filename: 'garden.jpg' });
  await busyUser.uploadPhoto({ filename: 'beach.jpg' });
  let searches: ReturnType<typeof busyUser.call<'searchMediaItems'>>[] = [];
  await withBlockedSearches(api.deps, async () => {
    searches = Array.from({ length: 20 }, () => busyUser.call('searchMediaItems', { query: { q: 'beach' } }));
    await waitUntil('two searches wait', async () => (await countBlocked(api.deps.db, 'search_words')) >= 2);
    // Searches beyond the queue are refused while the others still wait.
    await Promise.race(searches);
    const { status, body } = await otherUser.call('listMediaItems', {});
    assert.deepEqual([status, body.length], [200, 1]);
    assert.ok((await countBlocked(api.deps.db, 'search_words')) <= 2);
  });
  // Two searches of a user run and eight wait. How many of the others are refused depends on when a slot becomes free.
  const ended = await Promise.all(searches);
  const refused = ended.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 1 && refused.length <= 10, `${refused.length} were refused`);
  assert.equal(refused[0]!.headers.get('retry-after'), '3');
  assert.deepEqual(
    ended.filter(({ status }) => ![200, 429, 503].includes(status)),
    [],
  );
  assert.equal((await busyUser.call('searchMediaItems', { query: { q: 'beach' } })).status, 200);
});

test('cancels a search that takes too long, with an error', async () => {
  await withBlockedSearches(api.deps, async () => {
    const { status, error, headers } = await busyUser.call('searchMediaItems', { query: { q: 'beach' } });
    assert.deepEqual([status, error.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '5']);
    assert.match(error.message, /timed out/);
  });
  assert.equal((await busyUser.call('searchMediaItems', { query: { q: 'beach' } })).status, 200);
});

test('searches that wait for embeddings hold no connection, and fall back to words without an embedding', async () => {
  const { deps } = api;
  const users = await Promise.all(Array.from({ length: 10 }, () => api.signUp()));
  for (const user of users) await user.uploadPhoto({ filename: 'castle.jpg' });
  const { embedQuery } = deps;
  // More searches than connections, each with a model that does not respond in time.
  const [allWaiting, release] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let waiting = 0;
  const hang: typeof embedQuery = () => {
    if ((waiting += 1) === 20) allWaiting.resolve(undefined);
    return release.promise;
  };
  Object.assign(deps, { embedQuery: hang });
  try {
    const searches = users.flatMap((user) =>
      ['castle', 'castle jpg'].map((q) => user.call('searchMediaItems', { query: { q } })),
    );
    await allWaiting.promise;
    assert.equal(await countIdleTransactions(deps.db), 0);
    assert.equal((await users[0]!.call('listMediaItems', {})).status, 200);
    release.resolve(undefined);
    for (const { status, headers, body } of await Promise.all(searches))
      assert.deepEqual([status, headers.get('x-search-mode'), body.length], [200, 'text', 1]);
  } finally {
    release.resolve(undefined);
    Object.assign(deps, { embedQuery });
  }
});
