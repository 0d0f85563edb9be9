import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { captureStatements } from '@hearth/testkit/database/statements.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { call, uploadPhoto } = await api.signUp();
after(() => api.stop());

const search = async (q?: string, query = {}) => call('searchMediaItems', { query: { q, ...query } });

test('returns the matches of every word in pages, with the search mode', async () => {
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

test('returns empty pages after 1,000 results', async () => {
  for (const query of [{ page: 67 }, { page: 6, limit: 200 }, { page: Number.MAX_SAFE_INTEGER / 200 - 1 }]) {
    const { status, body } = await search('jpg', { ...query, page: Math.floor(query.page) });
    assert.deepEqual([status, body], [200, []]);
  }
});

test('rejects a query without words or with more than 256 characters', async () => {
  for (const q of ['', '   ', '\t\n', 'x'.repeat(257), '\0']) {
    const { status, error } = await search(q);
    assert.deepEqual([status, error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(q));
  }
  assert.equal((await call('searchMediaItems')).status, 400);
  assert.equal((await search(`  ${'🎂'.repeat(256)}  `)).status, 200);
});

/** Paths of the validation errors of a search. */
const wrongFields = async (query: Record<string, string>): Promise<readonly string[]> => {
  const { status, error } = await call('searchMediaItems', { query });
  assert.deepEqual([status, error.code], [400, 'VALIDATION_FAILED'], JSON.stringify(query));
  return (error.errors ?? []).map(({ path }) => path);
};

test('reports the invalid parameters of an empty search or of filters', async () => {
  assert.deepEqual(await wrongFields({}), ['query.q']);
  assert.deepEqual(await wrongFields({ page: '2' }), ['query.q']);
  assert.deepEqual(await wrongFields({ people: 'x' }), ['query.people']);
  assert.deepEqual(await wrongFields({ type: 'sound', from: 'yesterday' }), ['query.type', 'query.from']);
  assert.deepEqual(await wrongFields({ from: '2022-04-04', to: '2022-04-03' }), ['query.to']);
});

test('searches by filters alone, with their own cursors', async () => {
  const filmed = await Promise.all(
    ['2002-01-01', '2003-01-01', '2004-01-01'].map((day) =>
      uploadPhoto({ creationTime: `${day}T12:00:00Z`, filename: 'lake.jpg' }),
    ),
  );
  await call('addToFavourites', { body: { mediaItems: filmed } });
  const { id: album } = (await call('createAlbum', { body: { name: 'Lakes' } })).body;
  await call('addToAlbum', { params: { id: album }, body: { mediaItems: filmed.slice(1) } });
  const ids = async (query: Record<string, string | number | boolean>) =>
    (await call('searchMediaItems', { query })).body.map(({ id }) => id);
  assert.deepEqual(await ids({ favourite: true }), filmed.toReversed());
  assert.deepEqual(await ids({ favourite: true, from: '2002-01-01', to: '2003-01-01' }), [filmed[1], filmed[0]]);
  assert.deepEqual(await ids({ albums: album, q: 'lake 2004' }), [filmed[2]]);
  assert.deepEqual(await ids({ albums: `${album},${album}`, type: 'video' }), []);
  const first = await call('searchMediaItems', { query: { favourite: true, limit: 2 } });
  const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')![1]!, api.url);
  assert.deepEqual(await ids(Object.fromEntries(next.searchParams)), [filmed[0]]);
  const cursor = next.searchParams.get('cursor')!;
  assert.deepEqual(await wrongFields({ favourite: 'false', cursor }), ['query.cursor']);
  assert.deepEqual(await wrongFields({ favourite: 'true', q: 'lake', cursor }), ['query.cursor']);
});

test('runs no count for the semantic ranking if no model is available', async () => {
  const statements = await captureStatements(async () => {
    const { body } = await search('lake', { favourite: true, from: '2002-01-01' });
    assert.equal(body.length, 3);
  });
  // Matches of words are counted too, but within other statements.
  assert.deepEqual(
    statements.filter(({ text }) => /^\s*select count\(/.test(text)),
    [],
  );
});

test('returns the reasons of each result', async () => {
  const [found] = (await search('favoriten lake 2004')).body;
  assert.deepEqual(found!.reasons, [
    { kind: 'favourite', words: ['favoriten'] },
    { kind: 'filename', words: ['lake'], value: 'lake.jpg' },
    { kind: 'album', words: ['lake'], id: found!.reasons[2]!.id, value: 'Lakes' },
    { kind: 'date', words: ['2004'], value: '2004', from: '2004-01-01', to: '2004-12-31' },
  ]);
});

const suggest = async (q: string, query = {}) => (await call('listSearchSuggestions', { query: { q, ...query } })).body;

test('suggests what the library contains in features that are on', async () => {
  const [album] = await suggest('lak');
  assert.deepEqual(album, { kind: 'album', id: album!.id, value: 'Lakes', count: 2 });
  assert.deepEqual(await suggest('2004'), [
    { kind: 'date', value: '2004', count: 1 },
    { kind: 'date', value: '2004-01', count: 1 },
  ]);
  assert.equal((await suggest('2004', { limit: 1 })).length, 1);
  for (const query of [{}, { q: '' }, { q: 'a', limit: 21 }])
    assert.equal((await call('listSearchSuggestions', { query })).error.code, 'VALIDATION_FAILED');
  assert.equal((await api.call('listSearchSuggestions', { query: { q: 'x' } })).status, 401);
});

test('responds to any query', async () => {
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
    { numRuns: runs(200) },
  );
});

const anyFilter = (...valid: readonly string[]) =>
  fc.option(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...valid) }, fc.string({ unit: 'grapheme', maxLength: 20 })),
    {
      nil: undefined,
      freq: 2,
    },
  );

test('responds to any filters', async () => {
  const days = fc.constantFrom(
    '0001-01-01',
    '1900-02-28',
    '2024-02-29',
    '9999-12-31',
    '10000-01-01',
    '2024-02-30',
    '-infinity',
  );
  const id = '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10';
  const anyQuery = fc.record({
    q: anyFilter(
      'yesterday',
      'last year',
      'this week',
      'letzten winter',
      'videos',
      'ostern 1800',
      'winter 2199',
      'IMG_20190403',
    ),
    people: anyFilter(id, `${id},${id}`),
    places: anyFilter(id),
    type: anyFilter('photo', 'UNKNOWN'),
    category: anyFilter('default', 'SLOW'),
    favourite: anyFilter('true', 'false'),
    camera: anyFilter('canon', '!', "'"),
    from: fc.option(days, { nil: undefined }),
    to: fc.option(days, { nil: undefined }),
    today: fc.option(days, { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const { status } = await call('searchMediaItems', { query });
      assert(status === 200 || status === 400, `${status}`);
      const { status: suggested } = await call('listSearchSuggestions', { query: { q: query.q } });
      assert(suggested === 200 || suggested === 400, `${suggested}`);
    }),
    { numRuns: runs(150) },
  );
});
