import { createHash } from 'node:crypto';
import type { OriginalCheck } from '../originals/originalCheck.ts';
import { originalKey } from './keys.ts';
import { isNotFound, isUnreadable } from './objectErrors.ts';
import type { ObjectInfo, ObjectStore } from './objects.ts';

/** The columns of `media_items` that describe an original. */
export interface RecordedOriginal {
  readonly id: string;
  readonly user_id: string;
  readonly size_bytes: number;
  /** SHA-256, 32 bytes. */
  readonly checksum: Buffer;
}

export interface ByteCheckOptions {
  readonly signal?: AbortSignal;
  /**
   * Called with the length of each chunk before the next one is read. A pending promise delays the next read, to limit
   * the rate.
   */
  readonly onRead?: (bytes: number) => void | Promise<void>;
}

type Store = Pick<ObjectStore, 'stat' | 'open'>;

/**
 * Compares existence and size only, with one request to the store: OK does not prove that the bytes are unchanged.
 * @throws StoreError
 */
export const checkOriginalSize = async (
  objects: Pick<Store, 'stat'>,
  { id, user_id, size_bytes }: Omit<RecordedOriginal, 'checksum'>,
): Promise<OriginalCheck> => {
  const found = await findObject(objects, originalKey(user_id, id));
  if (found === undefined) return { state: 'MISSING', modifiedAt: undefined };
  return { state: found.sizeBytes === size_bytes ? 'OK' : 'DAMAGED', modifiedAt: found.modifiedAt };
};

export interface ByteCheck extends OriginalCheck {
  /** The disk failed to read the object (EIO), for example because of a bad sector. */
  readonly isUnreadable?: true;
}

/**
 * Compares size and SHA-256. Reads the whole original, chunk by chunk, unless its size is wrong. Reads it again if a
 * re-upload replaced it meanwhile, so that the result is about the object with `modifiedAt`.
 * @throws StoreError if the store is unavailable, and the reason of `signal`
 */
export const checkOriginalBytes = async (
  objects: Store,
  original: RecordedOriginal,
  options: ByteCheckOptions = {},
): Promise<ByteCheck> => {
  for (;;) {
    const check = await checkOriginalSize(objects, original);
    if (check.state !== 'OK') return check;
    const result = await compareBytes(objects, original, options).catch((error: unknown) => {
      options.signal?.throwIfAborted();
      return { error };
    });
    if (result === true) return check;
    const current = await checkOriginalSize(objects, original);
    if (current.modifiedAt?.getTime() !== check.modifiedAt?.getTime()) continue;
    if (result === false) return { state: 'DAMAGED', modifiedAt: check.modifiedAt };
    if (!isUnreadable(result.error)) throw result.error;
    return { state: 'DAMAGED', modifiedAt: check.modifiedAt, isUnreadable: true };
  }
};

/** Returns undefined if the object does not exist. @throws StoreError */
export const findObject = async (objects: Pick<Store, 'stat'>, key: string): Promise<ObjectInfo | undefined> => {
  try {
    return await objects.stat(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const compareBytes = async (
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
    const { length } = chunk;
    freeMemory(chunk);
    await onRead?.(length);
  }
  return hash.digest().equals(checksum);
};

/** Frees the memory of a chunk at once. Garbage collection would start only at 64 MiB. */
const freeMemory = ({ buffer, byteLength }: Buffer): void => {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
};
