import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { call, uploadPhoto } = await api.signUp();
after(() => api.stop());

const list = async (monthDate: string, query = {}) => call('listYearsAgo', { params: { monthDate }, query });

test('lists the items of a day in earlier years, newest first, in pages', async () => {
  const ids: string[] = [];
  for (const year of [2001, 2010, 2019]) ids.unshift(await uploadPhoto({ creationTime: `${year}-06-15T12:00:00Z` }));
  await uploadPhoto({ creationTime: '2019-06-17T12:00:00Z' });
  const { body, headers } = await list('0615', { limit: 2 });
  assert.deepEqual([body.map(({ id }) => id), headers.get('x-total-count')], [ids.slice(0, 2), '3']);
  const next = new URL(/<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')![1]!, api.url);
  assert.equal(next.pathname, '/v1/yearsAgo/0615/mediaItems');
  const last = await list('0615', Object.fromEntries(next.searchParams));
  assert.deepEqual([last.body.map(({ id }) => id), last.headers.get('link')], [ids.slice(2), null]);
});

test('rejects an impossible or malformed date', async () => {
  for (const monthDate of ['0230', '0431', '1301', '0001', '0100', '615', '06-15', 'june']) {
    const { status, error } = await list(monthDate);
    assert.deepEqual([status, error.code], [400, 'VALIDATION_FAILED'], monthDate);
  }
  for (const monthDate of ['0229', '1231', '0101']) assert.equal((await list(monthDate)).status, 200, monthDate);
});
