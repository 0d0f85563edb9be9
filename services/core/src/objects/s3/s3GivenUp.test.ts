import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { Readable } from 'node:stream';
import { createLog } from '../../log/log.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { overrideFirst, isUploadCompletion, s3Error, startS3Proxy } from '@hearth/testkit/proxies/s3Proxy.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { StoreError, UnknownWriteError } from '../objectErrors.ts';
import type { ObjectStore } from '../objects.ts';
import { openS3Bucket } from './s3Bucket.ts';
import { openS3Store } from './s3Store.ts';
import { makeBucket } from '@hearth/testkit/objects/testBucket.ts';
import { listKeys, read, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const MiB = 2 ** 20;
const bytes = makeTestBytes(1, 1000);
const log = createLog('test', 'error');

suite('uploads that another process abandons', { skip: missingTool('versitygw') }, async () => {
  const s3 = await startTestS3();
  after(() => s3.stop());

  test('throws a StoreError if another process abandons the write, and keeps the older object', async () => {
    await using testBucket = await makeBucket(s3);
    const other = openS3Store(testBucket.settings, log);
    await other.put('u/m/a', toStream(bytes));
    const whole = makeTestBytes(3, 30 * MiB);
    const body = Readable.from(
      (async function* () {
        for (let start = 0; start < 20 * MiB; start += MiB) yield whole.subarray(start, start + MiB);
        await removeAllUnfinished(other);
        yield whole.subarray(20 * MiB);
      })(),
      { objectMode: false },
    );
    await assert.rejects(testBucket.store.put('u/m/a', body), StoreError);
    assert.deepEqual(await read(testBucket.store, 'u/m/a'), bytes);
    assert.deepEqual(await listKeys(testBucket.store), ['u/m/a']);
    await removeAllUnfinished(other);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), ['u/m/a']);
  });

  test('throws an error, instead of returning the older object, if the upload was aborted outside of Hearth', async () => {
    await using testBucket = await makeBucket(s3);
    await testBucket.store.put('u/m/a', toStream(bytes));
    const writeId = await testBucket.store.beginParts('u/m/a');
    const tag = await testBucket.store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, makeTestBytes(3, 2000));
    await openS3Bucket(testBucket.settings, log, {}).client.abortMultipartUpload(
      testBucket.settings.bucket,
      'u/m/a',
      writeId,
    );
    await assert.rejects(
      testBucket.store.finishParts('u/m/a', writeId, [{ number: 1, tag }]),
      (error) => error instanceof StoreError || error instanceof UnknownWriteError,
    );
    assert.deepEqual(await read(testBucket.store, 'u/m/a'), bytes);
  });

  test('throws a retryable error for an upload that the store has lost, until it is abandoned', async (t) => {
    await using testBucket = await makeBucket(s3);
    const { settings } = testBucket;
    const endpoint = await startS3Proxy(t, s3.endpoint, rejectCompletion(2));
    const store = openS3Store({ ...settings, endpoint }, log);
    const writeId = await store.beginParts('u/m/a');
    const parts = [{ number: 1, tag: await store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, bytes) }];
    for (let tries = 0; tries < 2; tries++)
      await assert.rejects(store.finishParts('u/m/a', writeId, parts), StoreError);
    assert.equal(await store.finishParts('u/m/a', writeId, parts), bytes.length);
    assert.deepEqual(await read(store, 'u/m/a'), bytes);

    const lost = await store.beginParts('u/m/b');
    const tag = await store.putPart('u/m/b', lost, { number: 1, offset: 0 }, bytes);
    await openS3Bucket(settings, log, {}).client.abortMultipartUpload(settings.bucket, 'u/m/b', lost);
    await assert.rejects(store.finishParts('u/m/b', lost, [{ number: 1, tag }]), StoreError);
    await store.abandonParts('u/m/b', lost);
    await assert.rejects(store.finishParts('u/m/b', lost, [{ number: 1, tag }]), UnknownWriteError);
  });

  test('reports a completed upload as unknown if its response was lost', async (t) => {
    await using testBucket = await makeBucket(s3);
    const writeId = await testBucket.store.beginParts('u/m/a');
    const tag = await testBucket.store.putPart('u/m/a', writeId, { number: 1, offset: 0 }, bytes);
    const { client } = openS3Bucket(testBucket.settings, log, {});
    await client.completeMultipartUpload(testBucket.settings.bucket, 'u/m/a', writeId, [{ part: 1, etag: tag }]);
    const endpoint = await startS3Proxy(t, s3.endpoint, rejectCompletion(1));
    const store = openS3Store({ ...testBucket.settings, endpoint }, log);
    await assert.rejects(store.finishParts('u/m/a', writeId, [{ number: 1, tag }]), UnknownWriteError);
    assert.deepEqual(await read(testBucket.store, 'u/m/a'), bytes);
  });
});

/** Rejects completions with `NoSuchUpload`, as a store does while another request completes the upload. */
const rejectCompletion = (times: number) =>
  overrideFirst(times, isUploadCompletion, { status: 404, body: s3Error('NoSuchUpload') });

/** Repeated, because an abort may fail while a part arrives, according to the S3 documentation. */
const removeAllUnfinished = async (store: ObjectStore): Promise<void> => {
  for (;;) {
    try {
      await store.removeUnfinished(new Date(Date.now() + 24 * 60 * 60 * 1000));
      return;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
};
