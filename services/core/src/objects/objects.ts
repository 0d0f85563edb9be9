import type { Readable } from 'node:stream';

/** An inclusive range of bytes, both counted from 0, as in an HTTP `Range` header. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** What is known of an object without reading it. */
export interface ObjectInfo {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** A local file that holds an object's bytes; disposing of it removes what was made for it, and never the object. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

/** How much the store holds and could hold, in bytes. Used and free may add up to less than the total: some is reserved. */
export interface Capacity {
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly usedBytes: number;
}

/**
 * Where the bytes are. This interface is the specification: `objectsSuite.ts` tests each sentence of it on every
 * implementation.
 *
 * A key is one or more segments of `[A-Za-z0-9._-]` joined by `/`, 1–512 characters in all and 1–255 in a segment; no
 * segment begins with a dot. Every method throws `InvalidKeyError` for anything else, before it touches the store. A key
 * that continues another one (`a/b` beside the object `a`) is valid, but not every store can hold both: `put` may then throw.
 *
 * An object is written whole or not at all: there is no moment, a crash or power loss included, at which a reader sees
 * part of one. Errors of the store itself (disk full, connection lost) are thrown as `StoreError` with their cause and are
 * worth a retry; what `isNotFound` recognises is not. A store that is away is never taken for an empty one.
 */
export interface ObjectStore {
  /**
   * Writes all bytes of `body` under `key` and answers how many there were. When the promise resolves, the bytes survive a
   * power loss. An object already there is replaced in one step; of several writes to one key at once, one stays, whole. If
   * `body` fails, ends without having finished, or `signal` is aborted, the promise rejects with that error (of the signal:
   * its reason) and neither a new object nor a fragment is left; an older object stays as it was. After a `StoreError` the
   * new object may be there, whole, or not. However the promise rejects, `body` is destroyed.
   * Memory stays bounded whatever the size of `body`.
   */
  put(key: string, body: Readable, options?: { readonly signal?: AbortSignal }): Promise<number>;

  /**
   * Opens an object for reading, whole or one range of it, which must lie within its size. The stream gives the bytes of the
   * object as it was when opened, all of them or an error, also when it is replaced or removed meanwhile.
   * The stream fails with `StoreError` if the store breaks while it is read; destroying it early frees everything.
   * @throws ObjectNotFoundError
   * @throws RangeError if the range does not lie within the object
   */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /** @throws ObjectNotFoundError */
  stat(key: string): Promise<ObjectInfo>;

  /**
   * A local file with the object's bytes, to be read and not written, for tools that need a path. The folder store answers
   * the object itself at no cost; others download into `directory`.
   * @throws ObjectNotFoundError
   */
  file(key: string, directory: string): Promise<LocalFile>;

  /**
   * Removes objects; one that is not there is as good as removed, so that a removal can be repeated after a crash. With one
   * invalid key among them nothing is removed. A power loss may bring an object back: the orphan sweep finds it.
   */
  remove(keys: readonly string[]): Promise<void>;

  /**
   * All objects whose key begins with `prefix` (any text, or empty for all), in no particular order. Holds no more than
   * a page of names in memory. An object put or removed meanwhile may or may not be seen; all others are, once.
   */
  list(prefix: string): AsyncIterable<ObjectInfo>;

  /**
   * Removes what writes begun before `before` and never finished have left behind, and answers how many there were. Writes
   * that this process is still at are left alone; those of other processes are told by their age, so `before` has to lie
   * further back than any write takes.
   */
  removeUnfinished(before: Date): Promise<number>;

  /** Total, free and used bytes of what lies behind the store. */
  capacity(): Promise<Capacity>;
}
