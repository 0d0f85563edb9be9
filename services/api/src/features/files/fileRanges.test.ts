import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());

const size = 1_000;
const bytes = randomBytes(size);
const { id } = await buildMediaItem(api.deps.db, user.id, { size_bytes: size });
await api.deps.objects.put(originalKey(user.id, id), Readable.from([bytes]));
const { sourceUrl } = (await user.call('getMediaItem', { params: { id } })).body;
const get = async (headers: Record<string, string> = {}) => fetchLink(api.url, sourceUrl, { headers });

const ranges: readonly [range: string, first: number, last: number][] = [
  ['bytes=0-0', 0, 0],
  ['bytes=999-999', 999, 999],
  ['bytes=10-19', 10, 19],
  ['bytes=990-', 990, 999],
  ['bytes=0-', 0, 999],
  ['bytes=990-5000', 990, 999],
  ['bytes=-1', 999, 999],
  ['bytes=-1000', 0, 999],
  ['bytes=-5000', 0, 999],
];

for (const [range, first, last] of ranges) {
  test(`${range} of 1,000 bytes gives ${first} to ${last}`, async () => {
    const response = await get({ range });
    assert.equal(response.status, 206);
    assert.equal(response.headers.get('content-range'), `bytes ${first}-${last}/1000`);
    assert.deepEqual(response.bytes, bytes.subarray(first, last + 1));
  });
}

for (const range of ['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
  test(`rejects ${range.slice(0, 20)}, which lies outside of 1,000 bytes`, async () => {
    const { status, error, headers } = await get({ range });
    assert.deepEqual([status, error.code], [416, 'RANGE_NOT_SATISFIABLE']);
    assert.equal(headers.get('content-range'), 'bytes */1000');
  });
}

for (const range of [
  'bytes=0-1,5-6',
  'bytes=-',
  'bytes=5-1',
  'bytes=a-b',
  'items=0-1',
  'bytes',
  '0-1',
  'bytes=0-1-2',
]) {
  test(`ignores ${range}`, async () => {
    const response = await get({ range });
    assert.deepEqual([response.status, response.bytes.length], [200, size]);
  });
}

test("If-Range returns the range only for the client's version of the file", async () => {
  const etag = (await get()).headers.get('etag') ?? '';
  assert.equal((await get({ range: 'bytes=0-0', 'if-range': etag })).status, 206);
  for (const other of ['"other"', `W/${etag}`, 'Thu, 01 Jan 2026 00:00:00 GMT']) {
    assert.equal((await get({ range: 'bytes=0-0', 'if-range': other })).status, 200, other);
    assert.equal((await get({ range: 'bytes=5000-', 'if-range': other })).status, 200, other);
  }
});
