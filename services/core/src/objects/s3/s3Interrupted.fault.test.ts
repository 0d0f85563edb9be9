import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createLog } from '../../log/log.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { StoreError, UnknownWriteError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import { hasS3Upload } from './s3Abort.ts';
import { openS3Bucket } from './s3Bucket.ts';
import { findS3Version, multipartTag } from './s3Completion.ts';
import { openS3Store } from './s3Store.ts';
import { makeBucket, type TestBucketStore } from '@hearth/testkit/objects/testBucket.ts';
import { sha256, toStream, makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';

const MiB = 2 ** 20;
const log = createLog('test', 'error');
const partBytes = 32 * MiB;
const whole = makeTestBytes(1, 4 * partBytes + 1000);
const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

suite('a store that is killed while it assembles an object', { skip: missingTool('versitygw') }, async () => {
  const s3 = await startTestS3();
  after(() => s3.stop());

  /** Stores all parts and kills the store during completion. Repeats that if the object was complete nevertheless. */
  const interrupt = async ({ settings, store }: TestBucketStore) => {
    const bucket = openS3Bucket(settings, log, {});
    for (let number = 1; ; number++) {
      const key = `u/m${number}/a`;
      const writeId = await store.beginParts(key);
      const parts: StoredPart[] = [];
      for (let offset = 0; offset < whole.length; offset += partBytes) {
        const part = { number: parts.length + 1, offset };
        const tag = await store.putPart(key, writeId, part, whole.subarray(offset, offset + partBytes));
        parts.push({ number: part.number, tag });
      }
      const finished = store.finishParts(key, writeId, parts).then(
        () => true,
        (error) => {
          assert.ok(error instanceof StoreError, String(error));
          return false;
        },
      );
      while (await hasS3Upload(bucket, key, writeId)) continue;
      await s3.kill();
      const isFinished = await finished;
      await s3.restart();
      // The id that the store moves the parts to. They cannot be found by the id of the upload.
      const hidden = `${writeId}.${multipartTag(parts)}.inprogress`;
      const isHidden = (): Promise<boolean> => hasS3Upload(bucket, key, hidden);
      if (!isFinished && (await findS3Version(bucket, key)) === undefined && (await isHidden()))
        return { key, writeId, parts, isHidden };
      await store.abandonParts(key, writeId);
      await store.remove([key]);
    }
  };

  test('gets time, and then completes the upload from the same parts', async () => {
    await using testBucket = await makeBucket(s3);
    const { key, writeId, parts, isHidden } = await interrupt(testBucket);
    await assert.rejects(testBucket.store.finishParts(key, writeId, parts), StoreError);
    assert.ok(await isHidden());
    const later = openS3Store(testBucket.settings, log, { completionMs: -1 });
    assert.equal(await later.finishParts(key, writeId, parts), whole.length);
    assert.equal(await sha256(await later.open(key)), await sha256(toStream(whole)));
    assert.equal(await isHidden(), false);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), [key]);
    await assert.rejects(later.finishParts(key, writeId, parts), UnknownWriteError);
  });

  test('keeps nothing of an upload that is abandoned or swept', async () => {
    await using testBucket = await makeBucket(s3);
    const abandoned = await interrupt(testBucket);
    await testBucket.store.abandonParts(abandoned.key, abandoned.writeId);
    assert.equal(await abandoned.isHidden(), false);
    const swept = await interrupt(testBucket);
    assert.equal(await openS3Store(testBucket.settings, log).removeUnfinished(tomorrow()), 1);
    assert.equal(await swept.isHidden(), false);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  });

  test('reports the upload as unknown after the deadline if its parts are gone, too', async () => {
    await using testBucket = await makeBucket(s3);
    const { key, writeId, parts, isHidden } = await interrupt(testBucket);
    const { client } = openS3Bucket(testBucket.settings, log, {});
    await client.abortMultipartUpload(testBucket.settings.bucket, key, `${writeId}.${multipartTag(parts)}.inprogress`);
    assert.equal(await isHidden(), false);
    await assert.rejects(testBucket.store.finishParts(key, writeId, parts), StoreError);
    const later = openS3Store(testBucket.settings, log, { completionMs: -1 });
    await assert.rejects(later.finishParts(key, writeId, parts), UnknownWriteError);
    await later.abandonParts(key, writeId);
    assert.deepEqual(await listBucket(s3, testBucket.settings.bucket), []);
  });
});
