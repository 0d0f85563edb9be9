import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode } from './folders.ts';
import { StoreError, UnknownWriteError } from './objectErrors.ts';
import type { StoredPart } from './parts.ts';
import { putS3Buffer, type S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';
import type { S3Uploads } from './s3Uploads.ts';

const MiB = 2 ** 20;

/**
 * Bytes of the part with this number, from 1. 8 MiB as long as that will do, all the same size, as some stores ask; behind the first
 * 62 GiB larger ones, so that 10,000 parts, which S3 allows, hold 187 GiB.
 */
export const partBytes = (number: number): number => (number <= 8_000 ? 8 * MiB : 64 * MiB);

/**
 * Writes all bytes of `body`, as `ObjectStore.put` says, and answers how many there were. What fits into one part is written by one
 * request; else one part is on its way while the next one is collected, so that three parts at most are in memory.
 * `running` holds the ids of the multipart uploads that this process is at.
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
      for await (const bytes of cut(source)) {
        sizeBytes += bytes.length;
        await sending;
        number += 1;
        if (bytes.length < partBytes(number)) rest = bytes;
        else sending = sendPart(number, bytes);
        // The next part is collected meanwhile, so a failure of this one is looked at only then.
        sending.catch(() => undefined);
      }
      await sending;
      if (writeId !== undefined && rest.length > 0) await sendPart(number, rest);
    } finally {
      // A part that arrives after the upload was abandoned may stay.
      await Promise.allSettled([sending]);
    }
  };

  try {
    // From the first moment on an error of `body` has a listener: nothing is awaited before.
    await pipeline(body, send, { ...(signal && { signal }) });
    signal?.throwIfAborted();
    if (writeId === undefined) await attemptS3(`put ${key}`, putS3Buffer(bucket, key, rest));
    else await uploads.finish(key, writeId, parts);
    return sizeBytes;
  } catch (error) {
    body.destroy();
    // If this fails too, `removeUnfinished` finds it later; the first error is the one that tells why.
    if (writeId !== undefined) await uploads.abandon(key, writeId).catch(() => undefined);
    if (error instanceof UnknownWriteError)
      throw new StoreError(`put ${key}: the store has given the upload up`, { cause: error });
    throw signal?.aborted && hasCode(error, 'ABORT_ERR') ? signal.reason : error;
  } finally {
    if (writeId !== undefined) running.delete(writeId);
  }
};

/** The first part begins small: most objects are. */
const firstBytes = MiB / 4;

/**
 * Cuts bytes into parts, of which only the last one is smaller than its number says. Uses two buffers in turn: what it has yielded is good
 * until the part behind the next one is asked for.
 */
async function* cut(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let part: Buffer = Buffer.allocUnsafeSlow(firstBytes);
  let spare: Buffer = Buffer.alloc(0);
  let [number, filled] = [1, 0];
  for await (const chunk of source) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === part.length) part = copyTo(Buffer.allocUnsafeSlow(2 * filled), part);
      const copied = chunk.copy(part, filled, taken);
      taken += copied;
      filled += copied;
      if (filled < partBytes(number)) continue;
      yield part;
      number += 1;
      filled = 0;
      [part, spare] = [spare.length === partBytes(number) ? spare : Buffer.allocUnsafeSlow(partBytes(number)), part];
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

const copyTo = (larger: Buffer, smaller: Buffer): Buffer => {
  smaller.copy(larger);
  return larger;
};
