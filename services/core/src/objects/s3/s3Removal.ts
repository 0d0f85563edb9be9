import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { StoreError } from '../objectErrors.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { elementsOf, escapeXml, isElement, valueOf } from './s3Xml.ts';

/** Keys per request, the maximum of S3. */
const removedAtOnce = 1_000;

/**
 * Implements `ObjectStore.remove`. Parses the responses itself: the client takes a response that is no result for
 * success. It also requests failures only, so a key that the store left out would count as removed.
 */
export const removeS3Objects = async (bucket: S3Bucket, keys: readonly string[]): Promise<void> => {
  for (let first = 0; first < keys.length; first += removedAtOnce)
    await removeSome(bucket, keys.slice(first, first + removedAtOnce));
};

const removeSome = async ({ client, name }: S3Bucket, keys: readonly string[]): Promise<void> => {
  const what = `remove ${keys[0]}`;
  const objects = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('');
  const body = Buffer.from(`<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects}</Delete>`);
  // S3 requires this checksum, so that a corrupted list cannot delete other objects.
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
  const request = { method: 'POST', bucketName: name, query: 'delete', headers };
  const answer = await attemptS3(what, client.makeRequestAsync(request, body).then(text));
  if (!isElement(answer, 'DeleteResult'))
    throw new StoreError(`${what}: the answer is no result: ${answer.slice(0, 200)}`);
  const errors = elementsOf(answer, 'Error');
  const gone = new Set(
    [...elementsOf(answer, 'Deleted'), ...errors.filter((error) => valueOf(error, 'Code') === 'NoSuchKey')].map(
      (each) => valueOf(each, 'Key'),
    ),
  );
  const left = keys.filter((key) => !gone.has(key));
  if (left.length === 0) return;
  const error = errors.find((each) => valueOf(each, 'Key') === left[0]);
  const reason = error === undefined ? 'not confirmed' : `${valueOf(error, 'Code')}: ${valueOf(error, 'Message')}`;
  throw new StoreError(`remove ${left.length} of ${keys.length} objects: ${left[0]}: ${reason}`);
};
