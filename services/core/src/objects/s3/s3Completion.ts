import { createHash } from 'node:crypto';
import { isNotFound, StoreError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { statS3Version } from './s3Reading.ts';

/**
 * Makes an object of the parts of a multipart upload and answers its size in bytes, after the store has shown that the object exists.
 * VersityGW (tried with 1.8.0) reports success too early in two cases: while it still puts the object together for an earlier request (also
 * when it was killed in the middle of that), and when an older object has the key of an upload that is gone.
 */
export const completeS3Upload = async (
  bucket: S3Bucket,
  key: string,
  writeId: string,
  parts: readonly StoredPart[],
): Promise<number> => {
  const before = await findS3Version(bucket, key);
  const tags = parts.toSorted((a, b) => a.number - b.number).map(({ number, tag }) => ({ part: number, etag: tag }));
  // A store may answer 200 and send an error after that; the client throws that error, too.
  const completed = bucket.client.completeMultipartUpload(bucket.name, key, writeId, tags);
  const { etag: tag } = await attemptS3(`finish ${key}`, completed, { key, writeId });
  const after = await findS3Version(bucket, key);
  // Every other object is ours, or has replaced ours since.
  const isOlder = after !== undefined && after.tag === before?.tag && after.tag !== tag;
  if (after === undefined || isOlder) throw new StoreError(`finish ${key}: the store says that it has, and has not`);
  return after.sizeBytes;
};

/** The version of the object under a key; undefined where there is none. */
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
 * The tag that S3 gives to an object of these parts: the MD5 of the parts' MD5s, and the number of parts. Undefined where the tags of the
 * parts are no MD5s, as in a store that encrypts with a key of its own.
 */
export const multipartTag = (parts: readonly StoredPart[]): string | undefined => {
  const tags = parts.toSorted((a, b) => a.number - b.number).map(({ tag }) => tag.replaceAll('"', ''));
  if (!tags.every((tag) => /^[0-9a-f]{32}$/i.test(tag))) return undefined;
  const hash = createHash('md5');
  for (const tag of tags) hash.update(tag, 'hex');
  return `${hash.digest('hex')}-${tags.length}`;
};
