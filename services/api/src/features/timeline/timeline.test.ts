import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { call, uploadPhoto } = await api.signUp();
after(() => api.stop());

test('counts months and days, latest first, and lists the items of a month in pages', async () => {
  const ids: string[] = [];
  for (const day of ['2019-12-31', '2020-06-01', '2020-06-15', '2020-06-15']) {
    ids.unshift(await uploadPhoto({ creationTime: `${day}T12:00:00Z` }));
  }
  assert.deepEqual((await call('getTimeline')).body, [
    { date: '2020-06', count: 3 },
    { date: '2019-12', count: 1 },
  ]);
  assert.deepEqual((await call('getTimeline', { query: { by: 'day' } })).body, [
    { date: '2020-06-15', count: 2 },
    { date: '2020-06-01', count: 1 },
    { date: '2019-12-31', count: 1 },
  ]);
  assert.deepEqual((await call('getTimeline', { query: { by: 'section' } })).body, (await call('getTimeline')).body);
  const params = { month: '2020-06' };
  const { body, headers } = await call('listMonthMediaItems', { params, query: { limit: 2 } });
  assert.deepEqual([new Set(body.map(({ id }) => id)), headers.get('x-total-count')], [new Set(ids.slice(0, 2)), '3']);
  const next = new URL(/<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')![1]!, api.url);
  const last = await call('listMonthMediaItems', { params, query: Object.fromEntries(next.searchParams) });
  assert.deepEqual(
    last.body.map(({ id }) => id),
    [ids[2]],
  );
  assert.deepEqual((await call('listMonthMediaItems', { params: { month: '2021-01' } })).body, []);
});

test('rejects an invalid month or granularity', async () => {
  for (const month of ['2020-13', '2020-00', '0000-01', '2020', '2020-6', '202006']) {
    assert.equal((await call('listMonthMediaItems', { params: { month } })).error.code, 'VALIDATION_FAILED', month);
  }
  assert.equal((await call('getTimeline', { query: { by: 'hour' } })).error.code, 'VALIDATION_FAILED');
});
