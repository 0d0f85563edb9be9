import { createHash } from 'node:crypto';
import { isNotFound, StoreError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { convertS3Errors } from './s3Errors.ts';
import { statS3Version } from './s3Reading.ts';

/**
 * Completes a multipart upload and returns the object's size in bytes, after checking that the object exists. VersityGW
 * (tested with 1.8.0) reports success too early in two cases: while it still assembles the object for an earlier
 * request (even if the store was killed meanwhile), and if an older object has the key of an upload that no longer
 * exists.
 */
export const completeS3Upload = async (
  bucket: S3Bucket,
  key: string,
  writeId: string,
  parts: readonly StoredPart[],
): Promise<number> => {
  const before = await findS3Version(bucket, key);
  const tags = parts.toSorted((a, b) => a.number - b.number).map(({ number, tag }) => ({ part: number, etag: tag }));
  // A store may send an error after status 200. The client throws that, too.
  const completed = bucket.client.completeMultipartUpload(bucket.name, key, writeId, tags);
  const { etag: tag } = await convertS3Errors(`finish ${key}`, completed, { key, writeId });
  const after = await findS3Version(bucket, key);
  // Any other object is ours, or has replaced ours since.
  const isOlder = after !== undefined && after.tag === before?.tag && after.tag !== tag;
  if (after === undefined || isOlder)
    throw new StoreError(`finish ${key}: the store reported success, but the object is missing`);
  return after.sizeBytes;
};

/** Returns the version of an object; undefined if it does not exist. */
export const findS3Version = async (
  bucket: S3Bucket,
  key: string,
): Promise<Awaited<ReturnType<typeof statS3Version>> | undefined> => {
  try {
    return await statS3Version(bucket, key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

/**
 * Returns the ETag of a multipart object: the MD5 of the parts' MD5s, and the number of parts. Undefined if the tags of
 * the parts are no MD5s, as in a store that encrypts with its own key.
 */
export const multipartTag = (parts: readonly StoredPart[]): string | undefined => {
  const tags = parts.toSorted((a, b) => a.number - b.number).map(({ tag }) => tag.replaceAll('"', ''));
  if (!tags.every((tag) => /^[0-9a-f]{32}$/i.test(tag))) return undefined;
  const hash = createHash('md5');
  for (const tag of tags) hash.update(tag, 'hex');
  return `${hash.digest('hex')}-${tags.length}`;
};
