import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import type { ApiResponse } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

/** Creates a user with `count` items, newest first. Three share each second, so their order depends on the id. */
const makeLibrary = async (count: number) => {
  const user = await api.signUp();
  const rows = [];
  for (let index = 0; index < count; index++) {
    const local_time = `2021-05-${String(28 - Math.floor(index / 3)).padStart(2, '0')}T10:00:00.123456`;
    rows.push(await buildMediaItem(db, user.id, { local_time }));
  }
  const ids = rows
    .toSorted((a, b) => (a.local_time === b.local_time ? (a.id < b.id ? 1 : -1) : a.local_time < b.local_time ? 1 : -1))
    .map(({ id }) => id);
  return { ...user, ids };
};

type List = 'listMediaItems' | 'listTrash';

/** Follows the Link header from the first page to the last. */
const walk = async ({ call }: Awaited<ReturnType<typeof makeLibrary>>, list: List, limit: number, query = {}) => {
  const pages: string[][] = [];
  let next: Record<string, string> | undefined = { ...query, limit: String(limit) };
  while (next !== undefined) {
    const response: ApiResponse<MediaItem[]> = await call(list, { query: next });
    pages.push(response.body.map(({ id }) => id));
    const link: string | undefined = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    next = link === undefined ? undefined : Object.fromEntries(new URL(link, api.url).searchParams);
  }
  return pages;
};

for (const [count, limit, pages] of [
  [10, 4, 3],
  [8, 4, 2],
  [3, 200, 1],
  [5, 1, 5],
] as const) {
  test(`the Link header leads through ${count} items once, in ${pages} pages of ${limit}`, async () => {
    const library = await makeLibrary(count);
    const walked = await walk(library, 'listMediaItems', limit);
    assert.deepEqual(walked.flat(), library.ids);
    assert.equal(walked.length, pages);
  });
}

test('pages by number and by cursor are equal at any depth', async () => {
  const library = await makeLibrary(11);
  const walked = await walk(library, 'listMediaItems', 3);
  for (const [index, page] of walked.entries()) {
    const response = await library.call('listMediaItems', { query: { limit: 3, page: index + 1 } });
    assert.deepEqual(
      response.body.map(({ id }) => id),
      page,
    );
    assert.equal(response.headers.get('x-total-count'), '11');
    assert.equal(response.headers.has('link'), index < 3);
  }
});

test('a walk from a numbered page continues after it, and keeps filters and other parameters', async () => {
  const library = await makeLibrary(6);
  const response = await library.call('listMediaItems', {
    query: { page: 2, limit: 2, type: 'photo', from: 'a<b>"c' },
  });
  const link = new URL(/^<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? '', api.url);
  assert.deepEqual([...link.searchParams.keys()].toSorted(), ['cursor', 'from', 'limit', 'type']);
  const next = await library.call('listMediaItems', { query: Object.fromEntries(link.searchParams) });
  assert.deepEqual(
    next.body.map(({ id }) => id),
    library.ids.slice(4),
  );
});

test('added and deleted items cause no repeats or gaps in a walk', async () => {
  const library = await makeLibrary(6);
  const first = await library.call('listMediaItems', { query: { limit: 2 } });
  const link = new URL(/^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '', api.url);
  await buildMediaItem(db, library.id, { local_time: '2030-01-01T00:00:00' });
  await library.call('deleteMediaItem', { params: { id: library.ids[1]! } });
  const next = await library.call('listMediaItems', { query: Object.fromEntries(link.searchParams) });
  assert.deepEqual(
    next.body.map(({ id }) => id),
    library.ids.slice(2, 4),
  );
});

test('returns an empty page after the last one, up to the highest possible page number', async () => {
  const { call } = await makeLibrary(3);
  for (const query of [{ page: 2 }, { page: 4, limit: 1 }, { page: 45_035_996_273_704, limit: 200 }]) {
    const response = await call('listMediaItems', { query });
    assert.deepEqual(
      [response.body, response.headers.get('x-total-count'), response.headers.get('link')],
      [[], '3', null],
    );
  }
});

test('returns 15 items per page by default', async () => {
  const { call, ids } = await makeLibrary(17);
  assert.deepEqual(
    (await call('listMediaItems')).body.map(({ id }) => id),
    ids.slice(0, 15),
  );
});

test('accepts type, category and status filters in any case and combines them', async () => {
  const user = await api.signUp();
  await buildMediaItem(db, user.id, { type: 'VIDEO', category: 'SLOW', status: 'READY' });
  await buildMediaItem(db, user.id, { type: 'PHOTO', category: 'PANORAMA', status: 'FAILED' });
  await buildMediaItem(db, user.id, { type: 'PHOTO', status: 'READY' });
  const counted = async (query: Record<string, string>) => {
    const { body, headers } = await user.call('listMediaItems', { query });
    assert.equal(headers.get('x-total-count'), String(body.length));
    return body.length;
  };
  for (const type of ['PHOTO', 'photo', 'Photo']) assert.equal(await counted({ type }), 2);
  assert.equal(await counted({ category: 'slow' }), 1);
  assert.equal(await counted({ status: 'Ready' }), 2);
  assert.equal(await counted({ status: 'ready', type: 'photo' }), 1);
  assert.equal(await counted({ status: 'ready', type: 'video', category: 'panorama' }), 0);
});

test('excludes hidden and trashed items from visible lists, and shows both in the trash', async () => {
  const library = await makeLibrary(4);
  const [kept, hidden, trashed, both] = library.ids as [string, string, string, string];
  for (const id of [hidden, both]) await library.call('updateMediaItem', { params: { id }, body: { hidden: true } });
  await library.call('addToTrash', { body: { mediaItems: [trashed, both] } });
  assert.deepEqual(await walk(library, 'listMediaItems', 10), [[kept]]);
  assert.deepEqual(await walk(library, 'listTrash', 1), [[trashed], [both]]);
});
