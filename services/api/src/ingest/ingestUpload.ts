import { createHash, randomUUIDv7 } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { originalKey } from '@hearth/core/objects/keys.ts';
import {
  isOverQuota,
  ingestStoredFile,
  type FileDescription,
  type IngestDeps,
  type Inserted,
} from './insertMediaItem.ts';
import { detectKind, headBytes, type MediaKind } from './mediaKind.ts';

/** A file uploaded in a single request. */
export interface Upload extends FileDescription {
  readonly userId: string;
  /** Undefined without a request. */
  readonly requestId: string | undefined;
  readonly body: Readable;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Resolves when the whole request has arrived and is valid. */
  readonly received: Promise<void>;
}

/**
 * Stores a file, then inserts the item and its runs in one transaction, then enqueues them.
 * See [Note: Object before row].
 * @throws AppError NOT_MEDIA or QUOTA_EXCEEDED, or UNAUTHORIZED if the account was removed meanwhile
 */
export const ingestUpload = async (deps: IngestDeps, upload: Upload): Promise<Inserted> => {
  const id = randomUUIDv7();
  const key = originalKey(upload.userId, id);
  const { body, result } = inspectUpload(upload.body);
  const sizeBytes = await deps.objects.put(key, body, { signal: upload.signal });
  try {
    await upload.received;
  } catch (error) {
    await deps.objects.remove([key]);
    throw error;
  }
  const { filename, description, creationTime, userId, requestId } = upload;
  const original = { id, userId, requestId, filename, description, creationTime, sizeBytes, ...result() };
  return ingestStoredFile(deps, original).catch(async (error: unknown) => {
    if (isOverQuota(error)) await deps.objects.remove([key]);
    throw error;
  });
};

/** Type and checksum, known after the last byte. */
interface Inspection extends MediaKind {
  /** SHA-256, 32 bytes. */
  readonly checksum: Buffer;
}

/**
 * Passes an upload's bytes through while detecting the file type and computing the checksum. The stream fails with
 * AppError NOT_MEDIA early if the file is not a photo or video.
 */
const inspectUpload = (source: Readable): { readonly body: Readable; readonly result: () => Inspection } => {
  const hash = createHash('sha256');
  let kind: MediaKind | undefined;
  let head: Buffer[] = [];
  let headLength = 0;
  /** Detects the file type and releases the bytes held back for that. */
  const passHead = async (stream: Transform): Promise<void> => {
    kind = await detectKind(Buffer.concat(head));
    for (const chunk of head) stream.push(chunk);
    head = [];
  };
  const body = new Transform({
    writableHighWaterMark: 256 * 1024,
    // In object mode, because a byte stream copies chunks together when iterated. The short-lived copies make the
    // garbage collector scan the whole heap (2026-11: 29 ms of CPU for a 3 MB upload, 23 ms without copies).
    readableObjectMode: true,
    readableHighWaterMark: 4,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      if (kind !== undefined) return done(null, chunk);
      head.push(chunk);
      headLength += chunk.length;
      if (headLength < headBytes) return done();
      return callbackify(passHead)(this, done);
    },
    flush(done) {
      if (kind !== undefined) return done();
      return callbackify(passHead)(this, done);
    },
  });
  // Errors reach the reader of `body`.
  pipeline(source, body, () => undefined);
  // A pipeline waits forever if its source closes after its end was received but before it was read.
  source.once('close', () => source.readableEnded || body.destroy());
  return {
    body,
    result: () => {
      if (kind === undefined) throw new Error('the upload was not read completely');
      return { ...kind, checksum: hash.digest() };
    },
  };
};
