import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { checkRange, type ByteRange, type ObjectInfo } from '../objects.ts';
import { freeParsedChunks } from './freeParsedChunks.ts';
import { ObjectNotFoundError, StoreError } from '../objectErrors.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3, s3Code } from './s3Errors.ts';

/** Opens an object for reading, as `ObjectStore.open` says, with one request. */
export const openS3Object = async (bucket: S3Bucket, key: string, range?: ByteRange): Promise<Readable> => {
  if (range !== undefined) checkRange(key, range, Number.POSITIVE_INFINITY);
  const { first, last } = range ?? { first: 0, last: -1 };
  const asked = bucket.client.getPartialObject(bucket.name, key, first, last - first + 1).catch((error: unknown) => {
    throw s3Code(error) === 'InvalidRange'
      ? new RangeError(`bytes ${first}–${last} do not lie within object ${key}`, { cause: error })
      : error;
  });
  const response = (await findS3(bucket, `open ${key}`, key, asked)) as IncomingMessage;
  try {
    if (range !== undefined) checkRange(key, range, wholeSize(key, response));
    return bytesOf(`read ${key}`, response, lengthOf(key, response), bucket.patience.silenceMs);
  } catch (error) {
    response.destroy();
    throw error;
  }
};

/** What `ObjectStore.stat` answers. */
export const statS3Object = async (bucket: S3Bucket, key: string): Promise<ObjectInfo> => {
  const { sizeBytes, modifiedAt } = await statS3Version(bucket, key);
  return { key, sizeBytes, modifiedAt };
};

/** What `ObjectStore.stat` answers, and the object's tag, which differs where the bytes differ. */
export const statS3Version = async (bucket: S3Bucket, key: string): Promise<ObjectInfo & { readonly tag: string }> => {
  const found = await findS3(bucket, `find ${key}`, key, bucket.client.statObject(bucket.name, key));
  if (!Number.isSafeInteger(found.size)) throw new StoreError(`find ${key}: the store does not tell the size`);
  return { key, sizeBytes: found.size, modifiedAt: found.lastModified, tag: found.etag };
};

/** Answers what a request about an object answers. A missing bucket does not count as a missing object. */
const findS3 = async <T>(bucket: S3Bucket, what: string, key: string, asked: Promise<T>): Promise<T> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // The answer to HEAD has no body that could say whether the object or the bucket is missing.
    if (s3Code(error) !== 'NotFound') return attemptS3(what, Promise.reject(error), { key });
    await bucket.ping();
    throw new ObjectNotFoundError(key, { cause: error });
  }
};

/** The size of the whole object, from the answer to a request for a range. */
const wholeSize = (key: string, { headers }: IncomingMessage): number => {
  const [, size] = /^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (size === undefined) throw new StoreError(`open ${key}: the store does not understand ranges`);
  return Number(size);
};

const lengthOf = (key: string, { headers }: IncomingMessage): number => {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new StoreError(`open ${key}: the store does not tell the length`);
  return length;
};

/** Bytes that are buffered for a reader, besides those in the sockets. */
const bufferedBytes = 256 * 1024;

/**
 * The body of an answer: `expected` bytes, or a `StoreError`. Reads from the network only as fast as the reader asks. A reader may pause
 * for any time, the store only for `silenceMs`. When the stream is destroyed early, it closes the connection.
 */
const bytesOf = (what: string, response: IncomingMessage, expected: number, silenceMs: number): Readable => {
  let received = 0;
  let isAwaited = false;
  const timer = setTimeout(() => {
    if (isAwaited) fail(`the store was silent for ${silenceMs / 1_000} seconds`);
  }, silenceMs);
  const wait = (): void => {
    isAwaited = true;
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
  // Turns the connection's own timeout off, since a paused reader expects no bytes.
  response.setTimeout(0);
  response.pause();
  freeParsedChunks(response);
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (stream.push(chunk)) return wait();
    isAwaited = false;
    response.pause();
  });
  response.on('end', () => {
    isAwaited = false;
    if (received === expected) stream.push(null);
    else fail('the answer ended');
  });
  response.on('error', (error) => fail('the connection broke', error));
  response.on('close', () => {
    if (!response.readableEnded) fail('the connection closed');
  });
  return stream;
};
