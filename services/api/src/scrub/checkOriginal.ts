import { createHash } from 'node:crypto';
import type { OriginalState, ScrubItem } from '@hearth/core/db/items/scrubItems.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { isNotFound } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectInfo, ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Throttle } from './throttle.ts';

/** The store, and the pace of a check. */
export interface ReadOptions {
  readonly objects: ObjectStore;
  readonly throttle: Throttle;
  readonly signal: AbortSignal;
}

/** An original that is replaced this often while it is read is left to the next pass. */
const maxReads = 3;

/**
 * Reads an original and compares its size and SHA-256 with its item. Returns undefined if the object changed again and again meanwhile.
 * `unreadable`: the disk could not read it (EIO), as with a bad sector.
 * @throws StoreError if the store is unavailable; the reason of the signal
 */
export const checkOriginal = async (
  item: ScrubItem,
  options: ReadOptions,
): Promise<{ readonly state: OriginalState; readonly modifiedAt?: Date; readonly unreadable?: true } | undefined> => {
  const key = originalKey(item.userId, item.id);
  let before = await find(options.objects, key);
  for (let reads = 0; reads < maxReads; reads += 1) {
    if (before === undefined) return { state: 'MISSING' };
    const found = before.sizeBytes === item.sizeBytes ? await compareBytes(item, key, options) : 'DAMAGED';
    if (found === 'OK') return { state: 'OK', modifiedAt: before.modifiedAt };
    // Only the unchanged object is called damaged: an upload may just have replaced it.
    const after = await find(options.objects, key);
    if (after !== undefined && isSame(before, after))
      return found === 'UNREADABLE' ? { state: 'DAMAGED', unreadable: true } : { state: 'DAMAGED' };
    before = after;
  }
  return undefined;
};

/** Returns what is known of an object; undefined if it does not exist. */
export const find = async (objects: ObjectStore, key: string): Promise<ObjectInfo | undefined> =>
  objects.stat(key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });

const isSame = (a: ObjectInfo, b: ObjectInfo): boolean =>
  a.sizeBytes === b.sizeBytes && a.modifiedAt.getTime() === b.modifiedAt.getTime();

const compareBytes = async (
  { checksum }: ScrubItem,
  key: string,
  { objects, throttle, signal }: ReadOptions,
): Promise<'OK' | 'DAMAGED' | 'UNREADABLE'> => {
  const hash = createHash('sha256');
  try {
    const stream = await objects.open(key);
    // Leaving the loop by an error destroys the stream.
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      hash.update(chunk);
      const { length } = chunk;
      free(chunk);
      await throttle(length, signal);
    }
  } catch (error) {
    if (isNotFound(error)) return 'DAMAGED';
    if (isReadError(error)) return 'UNREADABLE';
    throw error;
  }
  return hash.digest().equals(checksum) ? 'OK' : 'DAMAGED';
};

/** Returns whether a disk has failed to read, as with a bad sector. */
const isReadError = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === 'EIO') || isReadError(error.cause));

/** Frees the memory of a chunk at once: garbage collection would begin at 64 MiB. */
const free = ({ buffer, byteLength }: Buffer): void => {
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
};
