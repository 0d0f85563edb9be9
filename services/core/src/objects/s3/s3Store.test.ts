import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { after, suite, test } from 'node:test';
import { createLog } from '../../log/log.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { UnknownWriteError } from '../objectErrors.ts';
import { maxParts, minPartBytes } from '../objects.ts';
import { openS3Store } from './s3Store.ts';
import { getPartBytes } from './s3Writing.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { forEachConcurrently, listKeys, read, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const bytes = makeTestBytes(1, 1000);
const log = createLog('test', 'error');

suite('on a VersityGW', { skip: missingTool('versitygw') }, async () => {
  const s3 = await startTestS3();
  after(() => s3.stop());

  test('lists each object once in small pages, without notes and unfinished uploads', async () => {
    await using testBucket = await makeBucket(s3, {}, { pageSize: 7 });
    const keys = Array.from({ length: 50 }, (_, i) => `u/m${i % 5}/${i}`).toSorted();
    await forEachConcurrently(keys, 8, (key) => testBucket.store.put(key, toStream(bytes)));
    await testBucket.store.beginParts('u/m/unfinished');
    assert.deepEqual(await listKeys(testBucket.store), keys);
    assert.deepEqual(
      await listKeys(testBucket.store, 'u/m3/'),
      keys.filter((key) => key.startsWith('u/m3/')),
    );
    const all = await listBucket(s3, testBucket.settings.bucket);
    assert.equal(all.filter((name) => name.startsWith('.unfinished/')).length, 1);
    assert.equal(all.length, keys.length + 2);
  });

  test('returns a local copy that only its owner can read, and deletes it on disposal', async () => {
    await using testBucket = await makeBucket(s3);
    await testBucket.store.put('u/m/a', toStream(bytes));
    {
      await using file = await testBucket.store.file('u/m/a', testBucket.outside);
      assert.equal(dirname(file.path), testBucket.outside);
      assert.equal((await stat(file.path)).mode & 0o777, 0o600);
      await testBucket.store.remove(['u/m/a']);
      assert.deepEqual(await readFile(file.path), bytes);
    }
    assert.deepEqual(await readdir(testBucket.outside), []);
    await testBucket.store.put('u/m/a', toStream(bytes));
    const missing = `${testBucket.outside}/missing`;
    await assert.rejects(testBucket.store.file('u/m/a', missing), {
      name: 'StoreError',
      message: /^download u\/m\/a: ENOENT/,
    });
  });

  test('returns the total size of all objects, and free bytes if the capacity is known', async () => {
    await using testBucket = await makeBucket(s3);
    for (const key of ['u/m/a', 'u/m/b', 'c']) await testBucket.store.put(key, toStream(bytes));
    const used = { usedBytes: 3000 };
    assert.deepEqual(await testBucket.store.capacity(), { ...used, totalBytes: undefined, freeBytes: undefined });
    for (const [capacityBytes, freeBytes] of [
      [10_000, 7000],
      [2000, 0],
    ] as const) {
      const store = openS3Store({ ...testBucket.settings, capacityBytes }, log);
      assert.deepEqual(await store.capacity(), { ...used, totalBytes: capacityBytes, freeBytes });
    }
  });

  test('continues and finishes a write in parts in another process', async () => {
    await using testBucket = await makeBucket(s3);
    const whole = makeTestBytes(2, minPartBytes + 1000);
    const key = 'u/m/original';
    const writeId = await testBucket.store.beginParts(key);
    const open = () => openS3Store(testBucket.settings, log);
    const first = await open().putPart(key, writeId, { number: 1, offset: 0 }, whole.subarray(0, minPartBytes));
    await s3.restart();
    const last = await open().putPart(key, writeId, { number: 2, offset: minPartBytes }, whole.subarray(minPartBytes));
    const parts = [
      { number: 2, tag: last },
      { number: 1, tag: first },
    ];
    await assert.rejects(open().finishParts('u/m/other', writeId, parts), UnknownWriteError);
    assert.equal(await open().finishParts(key, writeId, parts), whole.length);
    assert.ok((await read(testBucket.store, key)).equals(whole));
  });
});

test('allows objects of more than 180 GiB within the limits of S3', () => {
  let sum = 0;
  for (let number = 1; number <= maxParts; number++) {
    sum += getPartBytes(number);
    assert.ok(getPartBytes(number) >= Math.max(minPartBytes, getPartBytes(number - 1)));
  }
  assert.ok(sum > 180 * 2 ** 30);
});
