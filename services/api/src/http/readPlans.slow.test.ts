import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { defaultPageSize } from '@hearth/contract/limits.ts';
import { routes } from '@hearth/contract/routes.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { fillManyEmbeddings, makeVectors } from '@hearth/testkit/embeddings/generatedEmbeddings.ts';
import { findOnePhoto, uniquePhotoWords } from '@hearth/testkit/libraries/fillSigns.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { captureStatements, openExplainer } from '@hearth/testkit/database/statements.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { RouteName } from '@hearth/testkit/api/client.ts';
import { makeExampleUrl, findExampleValues, type ExampleValues } from '@hearth/testkit/api/exampleRequest.ts';

/*
 * Calls every read of the contract in one of several libraries, and explains every statement that it runs, with a custom
 * and a generic plan. None may scan a growing table sequentially, directly or in a function. All must be prepared
 * statements with a name.
 */
const api = await startTestApi();
const user = await api.signUp();
const { databaseUrl } = api.deps.config;
const explainer = await openExplainer(databaseUrl);
after(async () => {
  await explainer.close();
  await api.stop();
});

const model = 'concept-lite';
const vectors = makeVectors(1, 20);

/** Tables with at least this many rows count as growing. Scanning smaller ones is fine. */
const growingRows = 2_000;
let growing: ReadonlySet<string>;

before(async () => {
  const others = [await api.signUp(), await api.signUp(), await api.signUp()];
  await fillDatabase(databaseUrl, [
    { userId: user.id, items: 8_000, scans: 4_500 },
    ...others.map(({ id }) => ({ userId: id, items: 3_000 })),
  ]);
  for (const [userId, limit] of [[user.id, 1_500] as const, ...others.map(({ id }) => [id, 3_000] as const)]) {
    const seen = await queryOnce<{ id: string }>(
      databaseUrl,
      `select id from media_items where user_id = $1 and visibility = 'visible' order by id desc limit $2`,
      [userId, limit],
    );
    await fillManyEmbeddings(databaseUrl, { userId, model, ids: seen.map(({ id }) => id) }, vectors);
  }
  await queryOnce(databaseUrl, 'vacuum analyze media_item_embeddings, embedding_signatures, answering_models');
  // Gives every query an embedding, so that similar items are read.
  Object.assign(api.deps, { embedQuery: async () => ({ model, vector: vectors.concepts[0]!, minSimilarity: 0.2 }) });
  // One run per item, most of them done or failed.
  await queryOnce(
    databaseUrl,
    `insert into component_runs (media_item_id, user_id, component, type, version, state, reason)
    select id, user_id, 'METADATA', type, 1,
      case row % 500 when 0 then 'FAILED' when 1 then 'BLOCKED' when 2 then 'PENDING' else 'DONE' end,
      case row % 500 when 0 then 'CORRUPT' when 1 then 'NO_DECODER' end
    from (select *, row_number() over (order by id) as row from media_items) as items`,
  );
  await queryOnce(databaseUrl, 'vacuum analyze component_runs');
  await user.call('createJob', { body: { components: ['PLACES'] } });
  const rows = await queryOnce<{ relname: string }>(
    databaseUrl,
    `select relname from pg_stat_user_tables where n_live_tup >= $1 and relname not like '%deltas'`,
    [growingRows],
  );
  growing = new Set(rows.map(({ relname }) => relname));
  for (const table of [
    'media_items',
    'component_runs',
    'collection_items',
    'counts',
    'media_item_places',
    'embedding_signatures',
  ])
    assert.ok(growing.has(table), `${table} is filled`);
});

const listIds = async (path: string): Promise<string[]> => {
  const response = await get(path);
  return ((await response.json()) as { id: string }[]).map(({ id }) => id);
};

const get = async (path: string): Promise<Response> => {
  const response = await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${user.token}` } });
  assert.equal(response.status, 200, path);
  return response;
};

const getNextPath = (response: Response): string[] => {
  const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return next === undefined ? [] : [next];
};

/** Paths of the first page of a list, a deep page by number if the list has a count, and the next page by cursor. */
const pages = async (list: string): Promise<string[]> => {
  const limited = `${list}${list.includes('?') ? '&' : '?'}limit=${defaultPageSize}`;
  const first = await get(limited);
  const total = Number(first.headers.get('x-total-count'));
  if (total === 0) return [limited, ...getNextPath(first)];
  const deep = `${limited}&page=${Math.max(1, Math.floor((total * 0.9) / defaultPageSize))}`;
  return [limited, deep, ...getNextPath(await get(deep))];
};

const allPages = async (lists: readonly string[]): Promise<string[]> => (await Promise.all(lists.map(pages))).flat();

const listFirst = async (list: string, path: (id: string) => string): Promise<string[]> =>
  (await listIds(list)).slice(0, 2).map(path);

const [items, albums, people] = ['/v1/mediaItems', '/v1/albums', '/v1/explore/people'];

const shareIds = async (): Promise<string[]> =>
  ((await (await get(`${albums}?shared=true`)).json()) as { shareId: string }[])
    .slice(0, 2)
    .map(({ shareId }) => shareId);

/** Paths of reads. Routes that are not listed use their example with the first two ids. */
const paths: Readonly<Partial<Record<RouteName, () => Promise<readonly string[]>>>> = {
  listMediaItems: () =>
    allPages(
      ['', '?type=VIDEO', '?category=SCREENSHOT', '?status=READY&type=PHOTO', '?status=FAILED'].map(
        (filter) => `${items}${filter}`,
      ),
    ),
  getTimeline: async () => ['month', 'day', 'section'].map((by) => `/v1/timeline?by=${by}`),
  listMonthMediaItems: () => pages('/v1/timeline/2024-03/mediaItems'),
  getTimelineGrid: async () => [...(await pages('/v1/timeline/2024-03/grid')), '/v1/timeline/2024-03-05/grid'],
  listYearsAgo: () => pages('/v1/yearsAgo/0301/mediaItems'),
  listAlbums: () => allPages([albums, `${albums}?sort=-updatedAt&shared=false`]),
  getSharedAlbum: async () => (await shareIds()).map((id) => `/v1/sharing/${id}`),
  listSharedMediaItems: async () => allPages((await shareIds()).map((id) => `/v1/sharing/${id}/mediaItems`)),
  searchMediaItems: async () => [
    ...['img', 'canon', 'cannon 2016', 'thing berlin 2014', 'x', 'videos canon'].map((q) => `/v1/search?q=${q}`),
    ...[
      'type=video',
      'favourite=true&from=2015-01-01',
      'q=img&type=photo&category=screenshot',
      'camera=canon&to=2016-12-31',
    ].map((filters) => `/v1/search?${filters}`),
    ...(await listFirst(people, (id) => `/v1/search?people=${id}&type=photo`)),
    ...(await listFirst(albums, (id) => `/v1/search?q=img&albums=${id}`)),
  ],
  listSearchSuggestions: async () => ['p', 'thing 1', 'canon', 'jun 2016'].map((q) => `/v1/search/suggestions?q=${q}`),
  getPlacesMap: async () =>
    ['-180,-85,180,85&zoom=1', '13,52,14,53&zoom=12'].map((bounds) => `/v1/explore/places/map?bounds=${bounds}`),
  listDuplicates: () => allPages(['/v1/duplicates', '/v1/duplicates?reviewed=true']),
};

let exampleValues: Promise<ExampleValues[]> | undefined;
const findValues = () => (exampleValues ??= Promise.all([0, 1].map((nth) => findExampleValues(listIds, nth))));

/** Paths of a read from its example. */
const listExamplePaths = async (name: RouteName): Promise<readonly string[]> => {
  const { responses }: Route = routes[name];
  const found = [...new Set((await findValues()).map((each) => makeExampleUrl(name, each)))];
  return responses[200]?.headers?.includes('Link') === true ? allPages(found) : found;
};

/** Reads that query no growing table, or no library. */
const others: ReadonlySet<string> = new Set<RouteName>([
  'getUploadOptions',
  'getUpload',
  'watchEvents',
  'getFile',
  'getSharedFile',
  'getThumbnail',
  'listUsers',
  'listAudit',
  // Counts all items for the administrator: 0.2 s for a million.
  'getOriginals',
  'getUser',
  'getVersion',
  'getWebConfig',
  'getDisk',
  'getLiveness',
  'getReadiness',
  'getOpenApiDocument',
]);

/** Reads whose statement is built from the request. */
const unprepared: ReadonlySet<string> = new Set<RouteName>(['searchMediaItems', 'listSimilarMediaItems']);

const reads = (Object.entries(routes) as [RouteName, Route][]).filter(([, { method }]) => method === 'get');

test('detects a sequential scan, also inside a function', async () => {
  const scan = { text: 'select * from media_items where filename = $1', values: ['x'] };
  assert.deepEqual(await explainer.findSequentialScans(scan), ['media_items']);
  await explainer.query(`create function pg_temp.scan() returns bigint language plpgsql as
    $$ begin perform 1 from media_items where filename = 'x'; return 1; end $$`);
  const hidden = { text: 'select pg_temp.scan()', values: [] };
  assert.deepEqual(await explainer.findSequentialScans(hidden), ['media_items']);
});

/** Returns the search mode and the id of the first result. */
const searchFirst = async (q: string) => {
  const response = await get(`/v1/search?q=${encodeURIComponent(q)}`);
  return [response.headers.get('x-search-mode'), ((await response.json()) as { id: string }[])[0]?.id];
};

test('ranks the only photo with the person, place, text, content and date before photos that match four of these', async () => {
  const { id, decoys } = await findOnePhoto(databaseUrl, user.id);
  assert.ok(id !== undefined && decoys.size === 5, `${id}, ${[...decoys.keys()].join()}`);
  assert.deepEqual(await searchFirst(uniquePhotoWords), ['meaning', id]);
  for (const word of uniquePhotoWords.split(' '))
    assert.notEqual((await searchFirst(uniquePhotoWords.replace(word, '')))[1], undefined, word);
});

for (const [name] of reads.filter(([each]) => !others.has(each))) {
  test(`${name} scans no growing table`, async () => {
    for (const path of await (paths[name]?.() ?? listExamplePaths(name))) {
      const statements = await captureStatements(async () => void (await (await get(path)).text()));
      const selects = statements.filter(({ text }) => /^\s*(select|with)\b/i.test(text));
      assert.ok(selects.length > 0, path);
      for (const statement of selects) {
        const scanned = await explainer.findSequentialScans(statement);
        const wrong = scanned.filter((table) => growing.has(table));
        assert.deepEqual(wrong, [], `${path} scans them sequentially: ${statement.text}`);
        assert.ok(unprepared.has(name) || statement.name !== undefined, `${path} is not prepared: ${statement.text}`);
      }
    }
  });
}
