import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { call, token } = await api.signUp();
after(() => api.stop());

const position = (text: string): string => Buffer.from(text).toString('base64url');
const id = '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10';

for (const cursor of [
  '',
  '%',
  'nonsense',
  'x'.repeat(513),
  position(id),
  position(`2022-02-31T00:00:00 ${id}`),
  position(`0000-01-01T00:00:00 ${id}`),
  position(`2022-01-01T24:00:00 ${id}`),
  position(`2022-01-01T00:00:00 ${id}x`),
  position(`2022-01-01T00:00:00.1234567 ${id}`),
  position(`infinity ${id}`),
  position(`2022-01-01T00:00:00 ${id.toUpperCase()}`),
  position(`2022-01-01T00:00:00 '; drop table users`),
]) {
  test(`rejects the cursor "${cursor.slice(0, 30)}"`, async () => {
    const { error } = await call('listMediaItems', { query: { cursor } });
    assert.deepEqual([error.code, error.errors?.[0]?.path], ['VALIDATION_FAILED', 'query.cursor']);
  });
}

const json = (...value: readonly unknown[]): string => position(JSON.stringify(value));
const lists = ['listAlbums', 'listPlaces', 'listThings', 'listPeople', 'listJobs', 'searchMediaItems'] as const;

for (const cursor of [
  '',
  'nonsense',
  'x'.repeat(4097),
  position('[]'),
  json('places', {}),
  json('places', { name: 'a', id: 'x' }),
  json('places', { name: '\0', id }),
  json('places', { name: '\ud800', id }),
  json('places', { name: 'a', id, more: 1 }),
  json('people', { itemCount: -1, time: '2022-01-01T00:00:00', id }),
  json('people', { itemCount: 1, time: '2022-02-31T00:00:00', id }),
  json('jobs', { time: 'infinity', id }),
  json('jobs', { time: '2022-01-01T00:00:00', id: [id] }),
  json('albums sort_name', { time: '2022-01-01T00:00:00', id }),
  json('albums -sort_name', { name: 'a', id }),
  json('search x', { began: '2022-01-01T00:00:00', served: 1, mistyped: [], ahead: '', readings: [] }),
]) {
  test(`every other list rejects the cursor "${cursor.slice(0, 60)}"`, async () => {
    for (const list of lists) {
      const { error } = await call(list, { query: { cursor, ...(list === 'searchMediaItems' && { q: 'x' }) } });
      assert.deepEqual([error.code, error.errors?.[0]?.path], ['VALIDATION_FAILED', 'query.cursor'], list);
    }
  });
}

for (const query of [
  'page=0',
  'page=01',
  'page=-1',
  'page=1e3',
  'page=45035996273705',
  'limit=201',
  'limit=',
  'page=1&page=2',
  'type=cat',
  'status=',
  'category=x',
  'cursor=a&cursor=b',
  'page[a]=1',
]) {
  test(`rejects ?${query} unless the parameter is unknown`, async () => {
    const { status } = await fetch(`${api.url}/v1/mediaItems?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(status, query.includes('[') ? 200 : 400);
  });
}
