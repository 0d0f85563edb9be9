import { createHash } from 'node:crypto';
import type { OriginalCheck } from '../originalCheck.ts';
import { originalKey } from './keys.ts';
import { isNotFound } from './objectErrors.ts';
import type { ObjectInfo, ObjectStore } from './objects.ts';

/** What the database records of an original: a row of `media_items`, or these columns of it. */
export interface RecordedOriginal {
  readonly id: string;
  readonly user_id: string;
  readonly size_bytes: number;
  /** SHA-256, 32 bytes. */
  readonly checksum: Buffer;
}

export interface ByteCheckOptions {
  readonly signal?: AbortSignal;
  /** Called with the length of each chunk before the next one is read. Delay its promise to limit the rate. */
  readonly onRead?: (bytes: number) => void | Promise<void>;
}

type Store = Pick<ObjectStore, 'stat' | 'open'>;

/** Compares existence and size, with one request to the store. OK therefore does not exclude changed bytes. @throws StoreError */
export const checkOriginalSize = async (
  objects: Pick<Store, 'stat'>,
  { id, user_id, size_bytes }: Omit<RecordedOriginal, 'checksum'>,
): Promise<OriginalCheck> => {
  const found = await find(objects, originalKey(user_id, id));
  if (found === undefined) return { state: 'MISSING', modifiedAt: undefined };
  return { state: found.sizeBytes === size_bytes ? 'OK' : 'DAMAGED', modifiedAt: found.modifiedAt };
};

/** An object that is replaced while it is read is read again, this often. */
const maxReads = 3;

/**
 * Compares size and SHA-256. Reads the whole original unless its size is wrong, and holds only a chunk of it in memory.
 * @throws StoreError, and the reason of `signal`
 */
export const checkOriginalBytes = async (
  objects: Store,
  original: RecordedOriginal,
  options: ByteCheckOptions = {},
): Promise<OriginalCheck> => {
  for (let read = 1; ; read++) {
    const check = await checkOriginalSize(objects, original);
    if (check.state !== 'OK') return check;
    const result = await hasChecksum(objects, original, options).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      return { error };
    });
    if (result === true) return check;
    // A re-upload may have replaced the object meanwhile: then this says nothing about the object that is there now.
    const now = await checkOriginalSize(objects, original);
    const isReplaced = now.modifiedAt?.getTime() !== check.modifiedAt?.getTime();
    if (isReplaced && read < maxReads) continue;
    if (result !== false) throw result.error;
    return { state: 'DAMAGED', modifiedAt: check.modifiedAt };
  }
};

const find = async (objects: Pick<Store, 'stat'>, key: string): Promise<ObjectInfo | undefined> => {
  try {
    return await objects.stat(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const hasChecksum = async (
  objects: Pick<Store, 'open'>,
  { id, user_id, checksum }: RecordedOriginal,
  { signal, onRead }: ByteCheckOptions,
): Promise<boolean> => {
  const hash = createHash('sha256');
  const stream = await objects.open(originalKey(user_id, id));
  // Leaving the loop early destroys the stream.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
    await onRead?.(chunk.length);
  }
  return hash.digest().equals(checksum);
};
