import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreError } from '../objectErrors.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { convertS3Errors, getS3Code } from './s3Errors.ts';

/** Delays between aborts of an upload that still exists, in ms. */
const abortWaitsMs = [20, 100, 500];

/**
 * Aborts an upload and frees its parts. Ignores an upload that does not exist. According to the S3 documentation, parts
 * that arrive meanwhile may survive an abort, so it is repeated until the store has none.
 * @throws StoreError if parts still exist after all aborts
 */
export const abortS3Upload = async (bucket: S3Bucket, key: string, id: string): Promise<void> => {
  const what = `abandon ${key}`;
  const { client, name } = bucket;
  for (const waitMs of [...abortWaitsMs, undefined]) {
    try {
      await client.abortMultipartUpload(name, key, encodeURIComponent(id));
    } catch (error) {
      if (getS3Code(error) === 'NoSuchUpload') return;
      await convertS3Errors(what, Promise.reject(error));
    }
    if (!(await hasS3Upload(bucket, key, id))) return;
    if (waitMs !== undefined) await delay(waitMs);
  }
  throw new StoreError(`${what}: the upload still exists after ${abortWaitsMs.length + 1} aborts`);
};

/** Returns true if the store has an upload with this id. */
export const hasS3Upload = async ({ client, name }: S3Bucket, key: string, id: string): Promise<boolean> => {
  const query = `max-parts=1&uploadId=${encodeURIComponent(id)}`;
  try {
    await client.makeRequestAsync({ method: 'GET', bucketName: name, objectName: key, query }).then(text);
    return true;
  } catch (error) {
    // radosgw returns `NoSuchKey` here (tested with Ceph 16).
    if (['NoSuchUpload', 'NoSuchKey'].includes(getS3Code(error) ?? '')) return false;
    return convertS3Errors(`list the parts of ${key}`, Promise.reject(error));
  }
};
