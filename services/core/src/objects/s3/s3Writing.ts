import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode, StoreError, UnknownWriteError } from '../objectErrors.ts';
import type { StoredPart } from '../objects.ts';
import { putS3Buffer, type S3Bucket } from './s3Bucket.ts';
import { convertS3Errors } from './s3Errors.ts';
import type { S3Uploads } from './s3Uploads.ts';

const MiB = 2 ** 20;

/**
 * Returns the size of a part in bytes, by its number from 1. The first 8,000 parts have 8 MiB, the others 64 MiB, so
 * that S3's limit of 10,000 parts allows 187 GiB. The size changes only once, because some stores require equal sizes.
 */
export const getPartBytes = (number: number): number => (number <= 8_000 ? 8 * MiB : 64 * MiB);

/**
 * Implements `ObjectStore.put` and returns the number of bytes. A body that fits into one part is written by one
 * request. Otherwise one part is sent while the next is collected, so at most three parts are in memory. `running`
 * receives the ids of active multipart uploads.
 */
export const writeS3Object = async (
  bucket: S3Bucket,
  uploads: S3Uploads,
  running: Set<string>,
  { key, body, signal }: { readonly key: string; readonly body: Readable; readonly signal: AbortSignal | undefined },
): Promise<number> => {
  const parts: StoredPart[] = [];
  let writeId: string | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let sizeBytes = 0;

  const remember = (id: string): void => {
    writeId = id;
    running.add(id);
  };
  const sendPart = async (number: number, bytes: Buffer): Promise<void> => {
    const id = writeId ?? (await uploads.begin(key, remember));
    parts.push({ number, tag: await uploads.putPart(key, id, number, bytes) });
  };
  const send = async (source: AsyncIterable<Buffer>): Promise<void> => {
    let number = 0;
    let sending: Promise<void> = Promise.resolve();
    try {
      for await (const bytes of splitIntoParts(source)) {
        sizeBytes += bytes.length;
        await sending;
        number += 1;
        if (bytes.length < getPartBytes(number)) rest = bytes;
        else sending = sendPart(number, bytes);
        // Awaited only before the next part, so that the next part is collected meanwhile.
        sending.catch(() => undefined);
      }
      await sending;
      if (writeId !== undefined && rest.length > 0) await sendPart(number, rest);
    } finally {
      // Awaited, because a part that arrives after the upload was abandoned may stay.
      await Promise.allSettled([sending]);
    }
  };

  try {
    // Do not await anything before this line: an error of `body` needs a listener at any time.
    await pipeline(body, send, { ...(signal && { signal }) });
    signal?.throwIfAborted();
    if (writeId === undefined) await convertS3Errors(`put ${key}`, putS3Buffer(bucket, key, rest));
    else await uploads.finish(key, writeId, parts);
    return sizeBytes;
  } catch (error) {
    body.destroy();
    // If this fails, too, `removeUnfinished` abandons the upload later. The first error is thrown, because it is the
    // cause.
    if (writeId !== undefined) await uploads.abandon(key, writeId).catch(() => undefined);
    if (error instanceof UnknownWriteError)
      throw new StoreError(`put ${key}: the store aborted the upload`, { cause: error });
    throw signal?.aborted && hasCode(error, 'ABORT_ERR') ? signal.reason : error;
  } finally {
    if (writeId !== undefined) running.delete(writeId);
  }
};

/** The first buffer starts small, because most objects are small. */
const firstBytes = MiB / 4;

/**
 * Cuts bytes into parts of `getPartBytes`; only the last one may be smaller. Fills two buffers in turn: a part is valid
 * until the caller requests the part after the next one.
 */
async function* splitIntoParts(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let part: Buffer = Buffer.allocUnsafeSlow(firstBytes);
  let spare: Buffer = Buffer.alloc(0);
  let [number, filled] = [1, 0];
  for await (const chunk of source) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === part.length) part = copyInto(Buffer.allocUnsafeSlow(2 * filled), part);
      const copied = chunk.copy(part, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < getPartBytes(number)) continue;
      yield part;
      number += 1;
      filled = 0;
      [part, spare] = [
        spare.length === getPartBytes(number) ? spare : Buffer.allocUnsafeSlow(getPartBytes(number)),
        part,
      ];
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

const copyInto = (larger: Buffer, smaller: Buffer): Buffer => {
  smaller.copy(larger);
  return larger;
};
