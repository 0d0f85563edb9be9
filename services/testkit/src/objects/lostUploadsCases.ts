import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '@hearth/core/log/log.ts';
import { listBucket } from '../servers/listBucket.ts';
import type { S3Server } from '../servers/s3Server.ts';
import { openS3Bucket } from '@hearth/core/objects/s3/s3Bucket.ts';
import { listS3Uploads } from '@hearth/core/objects/s3/s3Listing.ts';
import { openNotes } from '@hearth/core/objects/s3/s3Notes.ts';
import { openS3Store } from '@hearth/core/objects/s3/s3Store.ts';
import { makeBucket } from './testBucket.ts';

const log = createLog('test', 'error');
const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

/** Tests of the S3 store, on any server, for uploads with ids that were lost in transit. */
export const lostUploadsCases = (server: S3Server): void => {
  test('removes all uploads of a key, beyond one page of a listing, except those to keep', async () => {
    await using testStore = await makeBucket(server);
    const pagedBucket = openS3Bucket(testStore.settings, log, { pageSize: 2 });
    const [key, longer] = ['u/m/a', 'u/m/a-2'];
    const notes = openNotes(pagedBucket);
    await notes.write(notes.newName(), { key });
    for (let number = 0; number < 7; number++)
      await pagedBucket.client.initiateNewMultipartUpload(testStore.settings.bucket, key, {});
    const [kept, other] = [await testStore.store.beginParts(key), await testStore.store.beginParts(longer)];
    const listed = await listS3Uploads(pagedBucket, key);
    assert.ok(listed.isComplete ? listed.uploads.length === 8 : listed.uploads.length >= 2, JSON.stringify(listed));

    const store = openS3Store(testStore.settings, log, { pageSize: 2 });
    assert.equal(await store.removeUnfinished(tomorrow(), new Set([kept, other])), 7);
    const bucket = openS3Bucket(testStore.settings, log, {});
    assert.deepEqual(
      (await listS3Uploads(bucket, key)).uploads.map(({ writeId }) => writeId),
      [kept],
    );
    await testStore.store.abandonParts(key, kept);
    await testStore.store.abandonParts(longer, other);
    assert.deepEqual(await listBucket(server, testStore.settings.bucket), []);
  });
};
