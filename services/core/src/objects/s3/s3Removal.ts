import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { StoreError } from '../objectErrors.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { convertS3Errors } from './s3Errors.ts';
import { listElements, escapeXml, isElement, getElementText } from './s3Xml.ts';

/** Keys per request, the maximum of S3. */
const maxKeysPerRequest = 1_000;

/**
 * Implements `ObjectStore.remove`. Parses the responses itself: the client treats a response without a result as
 * success. The client also requests failures only, so a key that the store left out would count as removed.
 */
export const removeS3Objects = async (bucket: S3Bucket, keys: readonly string[]): Promise<void> => {
  for (let first = 0; first < keys.length; first += maxKeysPerRequest)
    await removeBatch(bucket, keys.slice(first, first + maxKeysPerRequest));
};

const removeBatch = async ({ client, name }: S3Bucket, keys: readonly string[]): Promise<void> => {
  const what = `remove ${keys[0]}`;
  const objects = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('');
  const body = Buffer.from(`<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects}</Delete>`);
  // S3 requires this checksum, so that a corrupted list cannot delete other objects.
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
  const request = { method: 'POST', bucketName: name, query: 'delete', headers };
  const response = await convertS3Errors(what, client.makeRequestAsync(request, body).then(text));
  if (!isElement(response, 'DeleteResult'))
    throw new StoreError(`${what}: invalid response: ${response.slice(0, 200)}`);
  const errors = listElements(response, 'Error');
  const gone = new Set(
    [
      ...listElements(response, 'Deleted'),
      ...errors.filter((error) => getElementText(error, 'Code') === 'NoSuchKey'),
    ].map((each) => getElementText(each, 'Key')),
  );
  const left = keys.filter((key) => !gone.has(key));
  if (left.length === 0) return;
  const error = errors.find((each) => getElementText(each, 'Key') === left[0]);
  const reason =
    error === undefined ? 'not confirmed' : `${getElementText(error, 'Code')}: ${getElementText(error, 'Message')}`;
  throw new StoreError(`remove ${left.length} of ${keys.length} objects: ${left[0]}: ${reason}`);
};
