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
  /** Called with the length of each chunk before the next one is read. Delay its promise to limit the rate. */
  readonly onRead?: (bytes: number) => void | Promise<void>;
}

type Store = Pick<ObjectStore, 'stat' | 'open'>;

/** Compares existence and size, with one request to the store. OK therefore does not exclude changed bytes. @throws StoreError */
export const checkOriginalSize = async (
  objects: Pick<Store, 'stat'>,
  { id, user_id, size_bytes }: Omit<RecordedOriginal, 'checksum'>,
): Promise<OriginalCheck> => {
  const found = await findObject(objects, originalKey(user_id, id));
  if (found === undefined) return { state: 'MISSING', modifiedAt: undefined };
  return { state: found.sizeBytes === size_bytes ? 'OK' : 'DAMAGED', modifiedAt: found.modifiedAt };
};

/** The result of reading an original. */
export interface ByteCheck extends OriginalCheck {
  /** The disk could not read the object (EIO), as with a bad sector. */
  readonly isUnreadable?: true;
}

/**
 * Compares size and SHA-256. Reads the whole original unless its size is wrong, and holds only a chunk of it in memory. An original that a
 * re-upload replaces meanwhile is read again, so the result is about the object that `modifiedAt` belongs to.
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
    const now = await checkOriginalSize(objects, original);
    if (now.modifiedAt?.getTime() !== check.modifiedAt?.getTime()) continue;
    if (result === false) return { state: 'DAMAGED', modifiedAt: check.modifiedAt };
    if (!isUnreadable(result.error)) throw result.error;
    return { state: 'DAMAGED', modifiedAt: check.modifiedAt, isUnreadable: true };
  }
};

/** Returns what is known of an object; undefined if it does not exist. @throws StoreError */
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
    free(chunk);
    await onRead?.(length);
  }
  return hash.digest().equals(checksum);
};

/** Frees the memory of a chunk at once: garbage collection would begin at 64 MiB. */
const free = ({ buffer, byteLength }: Buffer): void => {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
};
