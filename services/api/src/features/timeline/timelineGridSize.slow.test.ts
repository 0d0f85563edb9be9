import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { thumbnailKey } from '@hearth/core/objects/keys.ts';
import { newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { exchange } from '@hearth/testkit/api/rawExchange.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
after(() => api.stop());

/** Maximum response size for a month of 10,000 items, in bytes. */
const maxBytes = 400_000;

const itemCount = 10_000;

/** Rows per statement. */
const batch = 1000;

test('a month of 10,000 items with incompressible ids and placeholders is at most 400 kB with Brotli and gzip', async () => {
  const user = await api.signUp();
  for (let first = 0; first < itemCount; first += batch) {
    const items = Array.from({ length: batch }, (_, nth) => {
      const day = 1 + Math.floor(((first + nth) * 30) / itemCount);
      const item = newMediaItem(user.id, {
        local_time: `2022-04-${String(day).padStart(2, '0')}T12:00:${String(nth % 60).padStart(2, '0')}`,
        status: 'READY',
        width_px: randomInt(2000, 6000),
        height_px: randomInt(2000, 6000),
        // About the size of a photo's ThumbHash.
        placeholder: randomBytes(25).toString('base64'),
      });
      return { ...item, thumbnail_key: thumbnailKey(user.id, item.id, 1) };
    });
    await api.deps.db.insertInto('media_items').values(items).execute();
  }
  for (const [accepted, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const head = `authorization: Bearer ${user.token}\r\nconnection: close\r\nhost: x\r\naccept-encoding: ${accepted}`;
    const [response] = await exchange(api.port, `GET /v1/timeline/2022-04/grid HTTP/1.1\r\n${head}\r\n\r\n`);
    const { ids, thumbnails } = JSON.parse(decode(response!.bytes).toString()) as {
      readonly ids: readonly string[];
      readonly thumbnails: readonly (number | null)[];
    };
    assert.equal(ids.length, itemCount);
    assert.ok(thumbnails.every((prefix) => prefix !== null));
    assert.ok(response!.bytes.length <= maxBytes, `${response!.bytes.length} bytes by ${accepted}`);
  }
});
