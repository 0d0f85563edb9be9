import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, ObjectInfo, ObjectStore } from '@hearth/core/objects/objects.ts';

/** A store for one test, initially empty. Disposing this deletes the store and its contents. */
export interface TestStore extends AsyncDisposable {
  readonly store: ObjectStore;
}

export type MakeStore = () => Promise<TestStore>;

/** Returns pseudo-random bytes, the same for the same seed on every machine (AES-128-CTR of zeros). */
export const makeTestBytes = (seed: number, sizeBytes: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(sizeBytes));

/** Streams `bytes` in chunks, by default of the size of a socket read. */
export const toStream = (bytes: Buffer, chunkBytes = 64 * 1024): Readable =>
  Readable.from(splitChunks(bytes, chunkBytes), { objectMode: false });

/** Reads an object, or a range of it. */
export const read = async (store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer> =>
  buffer(await store.open(key, range));

/** Returns the SHA-256 of a stream, in hexadecimal. */
export const sha256 = async (stream: Readable): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return hash.digest('hex');
};

/** Lists the objects whose key begins with `prefix`, in the order of the store. */
export const list = async (store: ObjectStore, prefix = ''): Promise<ObjectInfo[]> => {
  const found: ObjectInfo[] = [];
  for await (const info of store.list(prefix)) found.push(info);
  return found;
};

/** Returns the keys of these objects, sorted. */
export const listKeys = async (store: ObjectStore, prefix = ''): Promise<string[]> =>
  (await list(store, prefix)).map(({ key }) => key).toSorted();

/** Runs `work` on every item, `width` at a time. */
export const forEachConcurrently = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item);
    }),
  );
};

function* splitChunks(bytes: Buffer, chunkBytes: number): Generator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}
