import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { exchange } from '@hearth/testkit/api/rawExchange.ts';
import { renderItem } from '@hearth/testkit/api/renderItem.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { getLinkEpoch } from '@hearth/testkit/api/linkEpoch.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
const { db } = api.deps;
after(() => api.stop());

const params = { section: '2022-04' };

const requestGrid = async ({ call }: Pick<TestUser, 'call'>, query: Readonly<Record<string, string>> = {}) =>
  call('getTimelineGrid', { params, query });

const gridOf = async (user: Pick<TestUser, 'call'>) => (await requestGrid(user)).body;

/** Adds a rendered photo at a time. */
const addItem = async (
  user: TestUser,
  localTime: string,
  changes: Parameters<typeof renderItem>[3] = {},
  type: 'PHOTO' | 'VIDEO' = 'PHOTO',
): Promise<string> => {
  const { id } = await buildMediaItem(db, user.id, { local_time: localTime, type });
  await renderItem(api, user.id, id, { width_px: 4000, height_px: 3000, ...changes });
  return id;
};

const path = (...parts: (string | undefined)[]): string => `/v1/thumbnails/${parts.join('/')}`;

const placeholder = '1QcSHQRnh493V4dIh4eXh1h4kJUI';

test("returns a month's visible items as columns in list order, with days as headings", async () => {
  const user = await api.signUp();
  await addItem(user, '2022-05-01T00:00:00');
  await addItem(user, '2022-03-31T23:59:59');
  const photo = await addItem(user, '2022-04-30T23:59:59.5', { placeholder, is_favourite: true });
  const film = await addItem(
    user,
    '2022-04-30T08:00:00',
    { duration_s: 12.345, width_px: 1080, height_px: 1920 },
    'VIDEO',
  );
  const live = await addItem(user, '2022-04-03T12:00:00', { category: 'LIVE' });
  const motion = await addItem(user, '2022-04-03T11:00:00', { category: 'MOTION' });
  const moving = await addItem(user, '2022-04-01T00:00:00');
  await db
    .updateTable('media_items')
    .set({ preview_key: previewKey(user.id, moving, 1, 'webp') })
    .where('id', '=', moving)
    .execute();
  const { id: fresh } = await buildMediaItem(db, user.id, { local_time: '2022-04-01T00:00:00' });
  const broken = await addItem(user, '2022-04-01T00:00:00', { status: 'FAILED', thumbnail_key: null });
  for (const changes of [{ is_hidden: true }, { deleted_at: new Date() }])
    await addItem(user, '2022-04-02T09:00:00', changes);

  const grid = await gridOf(user);
  const listed = (await user.call('listMonthMediaItems', { params: { month: '2022-04' } })).body;
  assert.deepEqual(
    grid.ids,
    listed.map(({ id }) => id),
  );
  assert.deepEqual(grid.days, [
    { date: '2022-04-30', count: 2, places: [] },
    { date: '2022-04-03', count: 2, places: [] },
    { date: '2022-04-01', count: 3, places: [] },
  ]);
  const pick = <Value>(column: readonly Value[], ids = [photo, film, live, motion, moving, fresh]) =>
    ids.map((id) => column[grid.ids.indexOf(id)]);
  assert.deepEqual(pick(grid.kinds), ['PHOTO', 'VIDEO', 'LIVE', 'MOTION', 'ANIMATED', 'PHOTO']);
  assert.deepEqual(pick(grid.ratios), [1.333, 0.563, 1.333, 1.333, 1.333, null]);
  assert.deepEqual(pick(grid.durations), [null, 12.3, null, null, null, null]);
  assert.deepEqual(pick(grid.thumbnails), [0, 0, 0, 0, 0, null]);
  assert.equal(Buffer.from(pick(grid.placeholders)[0]!, 'base64').length, 17);
  assert.deepEqual(
    [grid.favourites, grid.processing, grid.failed],
    [[photo], [fresh], [broken]].map((ids) => ids.map((id) => grid.ids.indexOf(id))),
  );
});

test('returns a single day as a grid', async () => {
  const user = await api.signUp();
  await addItem(user, '2022-05-01T00:00:00');
  const last = await addItem(user, '2022-04-30T23:59:59.999999');
  const first = await addItem(user, '2022-04-30T00:00:00');
  await addItem(user, '2022-04-29T23:59:59.999999');
  const { body } = await user.call('getTimelineGrid', { params: { section: '2022-04-30' } });
  assert.deepEqual([body.ids, body.days], [[last, first], [{ date: '2022-04-30', count: 2, places: [] }]]);
});

test('returns empty columns for a month without items', async () => {
  const grid = await gridOf(await api.signUp());
  for (const column of Object.values(grid)) assert.deepEqual(column, []);
});

test('names the three most frequent places of each day, unless places are switched off', async () => {
  const user = await api.signUp();
  const places = { Lisbon: 3, Sintra: 2, Cascais: 2, Almada: 1 };
  for (const [town, count] of Object.entries(places)) {
    for (let nth = 0; nth < count; nth++) {
      const id = await addItem(user, '2022-04-03T12:00:00');
      await writeItemPlace(db, id, { countryCode: 'PT', country: 'Portugal', town });
    }
  }
  const hidden = await addItem(user, '2022-04-02T12:00:00', { is_hidden: true });
  await writeItemPlace(db, hidden, { countryCode: 'PT', country: 'Portugal', town: 'Porto' });
  await addItem(user, '2022-04-02T12:00:00');
  assert.deepEqual((await gridOf(user)).days, [
    { date: '2022-04-03', count: 8, places: ['Lisbon', 'Cascais', 'Sintra'] },
    { date: '2022-04-02', count: 1, places: [] },
  ]);
  await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { features: { places: false } } });
  assert.deepEqual((await gridOf(user)).days[0]?.places, []);
});

test('pages through a large month, each item once', async () => {
  const user = await api.signUp();
  const ids = [];
  for (let nth = 0; nth < 7; nth++) ids.push(await addItem(user, `2022-04-0${1 + (nth >> 1)}T12:00:00`));
  const seen: string[] = [];
  let query: Record<string, string> | undefined = { limit: '3' };
  while (query !== undefined) {
    const { body, headers }: Awaited<ReturnType<typeof requestGrid>> = await requestGrid(user, query);
    assert.ok(body.ids.length > 0 && body.ids.length <= 3);
    assert.equal(
      body.days.reduce((sum, { count }) => sum + count, 0),
      body.ids.length,
    );
    seen.push(...body.ids);
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    query = next === undefined ? undefined : Object.fromEntries(new URL(next, api.url).searchParams);
  }
  assert.deepEqual(seen, (await gridOf(user)).ids);
  assert.deepEqual(new Set(seen), new Set(ids));
});

test('prefix and id form the link of a thumbnail, which browsers may cache', async () => {
  const user = await api.signUp();
  const id = await addItem(user, '2022-04-03T12:00:00');
  const { thumbnailPrefixes } = await gridOf(user);
  assert.deepEqual(
    await gridOf(user).then((grid) => grid.thumbnailPrefixes),
    thumbnailPrefixes,
    'identical in a second response',
  );
  const link = `${thumbnailPrefixes[0]}${id}`;
  const response = await fetchLink(api.url, link);
  assert.deepEqual([response.status, response.bytes.toString()], [200, thumbnailKey(user.id, id, 1)]);
  assert.equal(response.headers.get('content-type'), 'image/webp');
  const file = await fetchLink(api.url, (await user.call('getMediaItem', { params: { id } })).body.thumbnailUrl!);
  for (const header of ['etag', 'content-security-policy', 'content-disposition', 'accept-ranges'])
    assert.equal(response.headers.get(header), file.headers.get(header), header);
  assert.match(response.headers.get('cache-control') ?? '', /^private, max-age=\d{5,6}, immutable$/);
  const again = await fetchLink(api.url, link, { headers: { 'if-none-match': response.headers.get('etag')! } });
  assert.equal(again.status, 304);
  const part = await fetchLink(api.url, link, { headers: { range: 'bytes=0-3' } });
  assert.deepEqual([part.status, part.bytes.length], [206, 4]);
});

test('rejects thumbnail links that are altered, expired, of another user or of a removed account', async () => {
  const [user, other] = [await api.signUp(), await api.signUp()];
  const [id, theirs] = [await addItem(user, '2022-04-03T12:00:00'), await addItem(other, '2022-04-03T12:00:00')];
  const prefix = (await gridOf(user)).thumbnailPrefixes[0]!;
  const [, , , userId, name, epoch, expires, key, signature] = prefix.split('/');
  const wrong = [
    path(userId, name, epoch, expires, key, signature, theirs),
    path(other.id, name, epoch, expires, key, signature, theirs),
    path(userId, 'thumbnail-2.webp', epoch, expires, key, signature, id),
    path(userId, 'original', epoch, expires, key, signature, id),
    path(userId, 'preview-1.jpg', epoch, expires, key, signature, id),
    path(userId, name, epoch, String(Number(expires) + 1), key, signature, id),
    path(userId, name, String(Number(epoch) + 1), expires, key, signature, id),
    path(userId, name, epoch, expires, 'AAAAAAAA', signature, id),
    path(userId, name, epoch, expires, key, `${signature}A`, id),
    path(userId, name, epoch, expires, key, signature, randomUUID()),
    path(userId, name, epoch, expires, key, signature, id.toUpperCase()),
    path(userId, name, epoch, expires, key, signature, `${id}/`),
    path(userId, name, epoch, expires, key, signature, '%zz'),
    path(userId, name, epoch, expires, key, signature, '..%2f..'),
  ];
  const ago = new Date(Date.now() - 72 * 3_600_000);
  wrong.push(
    `${api.deps.thumbnailLinks.signPrefix(await getLinkEpoch(api.deps.db, user.id), 'thumbnail-1.webp', ago)}${id}`,
  );
  for (const link of wrong) assert.equal((await fetchLink(api.url, link)).status, 404, link);
  assert.equal((await fetchLink(api.url, `${prefix}${id}`)).status, 200);
  await api.callAsAdmin('deleteUser', { params: { id: user.id } });
  assert.equal((await fetchLink(api.url, `${prefix}${id}`)).status, 404);
});

test('compresses a grid as accepted by the client, and sends it again only after a change', async () => {
  const user = await api.signUp();
  const id = await addItem(user, '2022-04-03T12:00:00');
  const get = async (headers: Record<string, string>) => {
    const lines = { authorization: `Bearer ${user.token}`, connection: 'close', host: 'x', ...headers };
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    const [response] = await exchange(api.port, `GET /v1/timeline/2022-04/grid HTTP/1.1\r\n${head.join('')}\r\n`);
    return response!;
  };
  const plain = await get({});
  assert.deepEqual([plain.status, plain.headers.get('content-encoding')], [200, null]);
  assert.equal(plain.headers.get('cache-control'), 'no-store');
  for (const [accepted, encoding, decode] of [
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['identity', null, (bytes: Buffer) => bytes],
  ] as const) {
    const response = await get({ 'accept-encoding': accepted });
    assert.equal(response.headers.get('content-encoding'), encoding, accepted);
    assert.equal(response.headers.get('vary'), 'Accept-Encoding');
    assert.deepEqual(decode(response.bytes), plain.bytes);
    assert.equal(response.headers.get('etag'), plain.headers.get('etag'));
  }
  const etag = plain.headers.get('etag')!;
  const same = await get({ 'if-none-match': etag, 'accept-encoding': 'br' });
  assert.deepEqual([same.status, same.bytes.length, same.headers.get('etag')], [304, 0, etag]);
  await user.call('updateMediaItem', { params: { id }, body: { favourite: true } });
  assert.equal((await get({ 'if-none-match': etag })).status, 200);
});

test('rejects an invalid section, cursor or limit', async () => {
  const { call } = await api.signUp();
  for (const section of ['2020-13', '0000-01', '2020', 'grid', '2021-02-29', '0000-01-01', '2020-01-01T00', '2020-1-1'])
    assert.equal((await call('getTimelineGrid', { params: { section } })).error.code, 'VALIDATION_FAILED', section);
  for (const query of [{ cursor: 'x' }, { cursor: '' }, { limit: 0 }, { limit: 50_001 }])
    assert.equal(
      (await call('getTimelineGrid', { params, query })).error.code,
      'VALIDATION_FAILED',
      JSON.stringify(query),
    );
});

test('rejects a range beyond the end of a thumbnail', async () => {
  const user = await api.signUp();
  const prefix = api.deps.thumbnailLinks.signPrefix(await getLinkEpoch(api.deps.db, user.id), 'thumbnail-1.webp');
  const link = `${prefix}${await addItem(user, '2022-04-03T12:00:00')}`;
  assert.equal((await fetchLink(api.url, link, { headers: { range: 'bytes=9999-' } })).status, 416);
});
