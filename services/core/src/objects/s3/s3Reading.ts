import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { checkRange, type ByteRange, type ObjectInfo } from '../objects.ts';
import { freeParsedChunks } from './freeParsedChunks.ts';
import { ObjectNotFoundError, StoreError } from '../objectErrors.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { convertS3Errors, getS3Code } from './s3Errors.ts';

/** Implements `ObjectStore.open`, with one request. */
export const openS3Object = async (bucket: S3Bucket, key: string, range?: ByteRange): Promise<Readable> => {
  if (range !== undefined) checkRange(key, range, Number.POSITIVE_INFINITY);
  const { first, last } = range ?? { first: 0, last: -1 };
  const request = bucket.client.getPartialObject(bucket.name, key, first, last - first + 1).catch((error: unknown) => {
    throw getS3Code(error) === 'InvalidRange'
      ? new RangeError(`bytes ${first}–${last} are outside object ${key}`, { cause: error })
      : error;
  });
  const response = (await findS3(bucket, `open ${key}`, key, request)) as IncomingMessage;
  try {
    if (range !== undefined) checkRange(key, range, getTotalSize(key, response));
    return streamBody(`read ${key}`, response, getContentLength(key, response), bucket.timeouts.silenceMs);
  } catch (error) {
    response.destroy();
    throw error;
  }
};

/** Implements `ObjectStore.stat`. */
export const statS3Object = async (bucket: S3Bucket, key: string): Promise<ObjectInfo> => {
  const { sizeBytes, modifiedAt } = await statS3Version(bucket, key);
  return { key, sizeBytes, modifiedAt };
};

/** Returns the same as `ObjectStore.stat`, and the ETag, which differs if the bytes differ. */
export const statS3Version = async (bucket: S3Bucket, key: string): Promise<ObjectInfo & { readonly tag: string }> => {
  const found = await findS3(bucket, `find ${key}`, key, bucket.client.statObject(bucket.name, key));
  if (!Number.isSafeInteger(found.size)) throw new StoreError(`find ${key}: no size in the response`);
  return { key, sizeBytes: found.size, modifiedAt: found.lastModified, tag: found.etag };
};

/** Awaits a request about an object. A missing bucket does not count as a missing object. */
const findS3 = async <T>(bucket: S3Bucket, what: string, key: string, request: Promise<T>): Promise<T> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // A HEAD response has no body, so a missing bucket looks like a missing object.
    if (getS3Code(error) !== 'NotFound') return convertS3Errors(what, Promise.reject(error), { key });
    await bucket.ping();
    throw new ObjectNotFoundError(key, { cause: error });
  }
};

/** Returns the size of the whole object from the response to a range request. */
const getTotalSize = (key: string, { headers }: IncomingMessage): number => {
  const [, size] = /^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (size === undefined) throw new StoreError(`open ${key}: the store does not support range requests`);
  return Number(size);
};

const getContentLength = (key: string, { headers }: IncomingMessage): number => {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new StoreError(`open ${key}: no length in the response`);
  return length;
};

/** Bytes to buffer for a reader, in addition to those in sockets. */
const bufferedBytes = 256 * 1024;

/**
 * Returns the body as a stream of exactly `expected` bytes, otherwise fails with a `StoreError`. Reads from the network
 * only as fast as the reader. A reader may pause for any time, the store only for `silenceMs`. Destroying the stream
 * early closes the connection.
 */
const streamBody = (what: string, response: IncomingMessage, expected: number, silenceMs: number): Readable => {
  let received = 0;
  let isWaiting = false;
  const timer = setTimeout(() => {
    if (isWaiting) fail(`no data from the store for ${silenceMs / 1_000} seconds`);
  }, silenceMs);
  const wait = (): void => {
    isWaiting = true;
    timer.refresh();
  };
  const stream = new Readable({
    highWaterMark: bufferedBytes,
    read() {
      wait();
      response.resume();
    },
    destroy(error, done) {
      clearTimeout(timer);
      response.destroy();
      done(error);
    },
  });
  const fail = (reason: string, cause?: unknown): void => {
    stream.destroy(new StoreError(`${what}: ${reason} after ${received} of ${expected} bytes`, { cause }));
  };
  // Disables the connection's own timeout, because a paused reader expects no bytes.
  response.setTimeout(0);
  response.pause();
  freeParsedChunks(response);
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (stream.push(chunk)) return wait();
    isWaiting = false;
    response.pause();
  });
  response.on('end', () => {
    isWaiting = false;
    if (received === expected) stream.push(null);
    else fail('the response ended');
  });
  response.on('error', (error) => fail('the connection broke', error));
  response.on('close', () => {
    if (!response.readableEnded) fail('the connection closed');
  });
  return stream;
};
