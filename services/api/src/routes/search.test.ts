import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { assertAllAnswersSeen } from '../testing/answerChecker.ts';
import { startTestApi } from '../testing/testApi.ts';

const api = await startTestApi();
const { call, uploadPhoto } = await api.signUp();
after(() => api.stop());

const search = async (q: string, query = {}) => call('searchMediaItems', { query: { q, ...query } });

test('what every word finds is answered page by page, with how it was searched', async () => {
  const ids: string[] = [];
  for (const year of [2001, 2010, 2019]) {
    ids.unshift(await uploadPhoto({ creationTime: `${year}-06-15T12:00:00Z`, filename: 'Grandma’s garden.jpg' }));
  }
  const { body, headers } = await search('  GRANDMA gardne ', { limit: 2 });
  assert.deepEqual(
    [body.map(({ id }) => id), headers.get('x-search-mode'), headers.get('x-total-count')],
    [ids.slice(0, 2), 'text', null],
  );
  const next = new URL(/<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')![1]!, api.url);
  assert.equal(next.pathname, '/v1/search');
  const last = await call('searchMediaItems', { query: Object.fromEntries(next.searchParams) });
  assert.deepEqual([last.body.map(({ id }) => id), last.headers.get('link')], [ids.slice(2), null]);
  assert.deepEqual(
    (await search('june 2010 garden')).body.map(({ id }) => id),
    ids.slice(1, 2),
  );
});

test('pages behind the last of 1,000 results are empty', async () => {
  for (const query of [{ page: 67 }, { page: 6, limit: 200 }, { page: Number.MAX_SAFE_INTEGER / 200 - 1 }]) {
    const { status, body } = await search('jpg', { ...query, page: Math.floor(query.page) });
    assert.deepEqual([status, body], [200, []]);
  }
});

test('no words, and more than 256 characters, are 400', async () => {
  for (const q of ['', '   ', '\t\n', 'x'.repeat(257), '\0']) {
    const { status, error } = await search(q);
    assert.deepEqual([status, error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(q));
  }
  assert.equal((await call('searchMediaItems')).status, 400);
  assert.equal((await search(`  ${'🎂'.repeat(256)}  `)).status, 200);
});

test('whatever is searched for is answered', async () => {
  const nasty = fc.constantFrom(
    '%',
    '_',
    '\\',
    "'",
    '"',
    '&',
    '|',
    '!',
    ':*',
    '<->',
    '(',
    ')',
    '2023',
    'june',
    '31',
    'x',
    '\u{10ffff}',
    '\ud83c\udf82',
  );
  const anyQuery = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 128 }),
    fc.array(nasty, { minLength: 1, maxLength: 60 }).map((parts) => parts.join('')),
    fc.array(nasty, { minLength: 1, maxLength: 60 }).map((parts) => parts.join(' ')),
  );
  await fc.assert(
    fc.asyncProperty(anyQuery, async (q) => {
      const { status } = await search(Array.from(q).slice(0, 256).join(''));
      assert(status === 200 || status === 400, `${status}`);
    }),
    { numRuns: 200 },
  );
});

test('every answer of this route that the contract lists has been seen', async () => {
  assert.equal((await api.call('searchMediaItems', { query: { q: 'x' } })).status, 401);
  assertAllAnswersSeen(['searchMediaItems']);
});
