import { createHash } from 'node:crypto';
import { isNotFound, StoreError } from './objectErrors.ts';
import type { StoredPart } from './parts.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import { statS3Version } from './s3Reading.ts';

/**
 * Makes an object of the parts of a multipart upload and answers its bytes, once the store has been seen to have it: VersityGW (tried with
 * 1.8.0) says that an upload is complete while it still puts the object together for somebody who asked before, also when it was killed in
 * the middle of that, and takes an older object of the key for the result of any upload that is gone.
 */
export const completeS3Upload = async (
  bucket: S3Bucket,
  key: string,
  writeId: string,
  parts: readonly StoredPart[],
): Promise<number> => {
  const before = await findS3Version(bucket, key);
  const tags = parts.toSorted((a, b) => a.number - b.number).map(({ number, tag }) => ({ part: number, etag: tag }));
  // An error that the store tells only after it has begun to answer with 200 is thrown by the client, too.
  const completed = bucket.client.completeMultipartUpload(bucket.name, key, writeId, tags);
  const { etag: tag } = await attemptS3(`finish ${key}`, completed, { key, writeId });
  const after = await findS3Version(bucket, key);
  // Any other object is ours, or has replaced ours since.
  const isOlder = after !== undefined && after.tag === before?.tag && after.tag !== tag;
  if (after === undefined || isOlder) throw new StoreError(`finish ${key}: the store says that it has, and has not`);
  return after.sizeBytes;
};

/** Which object is under a key; undefined where there is none. */
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
 * The tag that S3 gives to an object of these parts: the MD5 of theirs, and how many there are. Undefined where the parts have other tags,
 * as where the store encrypts them with a key of its own.
 */
export const multipartTag = (parts: readonly StoredPart[]): string | undefined => {
  const tags = parts.toSorted((a, b) => a.number - b.number).map(({ tag }) => tag.replaceAll('"', ''));
  if (!tags.every((tag) => /^[0-9a-f]{32}$/i.test(tag))) return undefined;
  const hash = createHash('md5');
  for (const tag of tags) hash.update(tag, 'hex');
  return `${hash.digest('hex')}-${tags.length}`;
};
