import type { Readable } from 'node:stream';

/** An inclusive range of bytes, counted from 0, as in an HTTP `Range` header. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Metadata of an object. */
export interface ObjectInfo {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** A local file with an object's bytes. Disposal deletes a downloaded file, but never the object. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

/** The parameters of a direct link. */
export interface LinkedObject {
  readonly key: string;
  /** The content type of the response. */
  readonly contentType: string;
  /** The `Content-Disposition` header of the response. */
  readonly contentDisposition: string;
  /** The start of the validity. Equal times and durations result in equal links. */
  readonly signedAt: Date;
  /** The duration of the validity, in seconds. */
  readonly validSeconds: number;
}

/**
 * Used and total size of the store, in bytes. Used and free may add up to less than the total, because some space is
 * reserved.
 */
export interface Capacity {
  /** Undefined, like `freeBytes`, if unknown: S3 does not report it. */
  readonly totalBytes: number | undefined;
  readonly freeBytes: number | undefined;
  readonly usedBytes: number;
}

/**
 * Stores bytes by key. This interface is the specification: `objectsSuite.ts` tests its sentences on every
 * implementation. A key consists of segments of `[A-Za-z0-9._-]` joined by `/`, with 1–512 characters in total and
 * 1–255 per segment; no segment starts with a dot. Every method throws `InvalidKeyError` for any other text, before it
 * touches the store. A key that extends another one (`a/b` and the object `a`) is valid, but not every store can hold
 * both: `put` may throw then.
 *
 * Objects are written atomically: a reader never sees part of one, not even after a crash or power loss. Errors of the
 * store itself (disk full, connection lost) are thrown as `StoreError` with their cause, and a retry may help. An error
 * that `isNotFound` accepts is final. An unavailable store never looks like an empty one.
 */
export interface ObjectStore {
  /** True if each call needs a request over the network. */
  readonly isRemote: boolean;

  /** Creates what the store needs, such as its bucket, if it does not exist. @throws StoreError */
  prepare(): Promise<void>;

  /**
   * Creates the folders of a folder store, once it is known to be the right one. With `library`, the store counts as
   * unavailable without the marker of that library: each write, and each read of an object that is not found, then
   * throws `StoreError`.
   */
  claim(library?: string): Promise<void>;

  /**
   * Writes all bytes of `body` under `key` and returns their number. When the promise resolves, the bytes survive a
   * power loss. Replaces an existing object atomically. Of concurrent writes to one key, one wins.
   *
   * Rejects if `body` fails or closes before its end, or if `signal` is aborted, with that error or reason. Then there
   * is neither a new object nor a fragment, and an existing object is unchanged. After a `StoreError` the complete new
   * object may exist or not. A rejection destroys `body`. Memory use does not depend on the size of `body`.
   */
  put(key: string, body: Readable, options?: { readonly signal?: AbortSignal }): Promise<number>;

  /**
   * Starts a write in parts and returns its id. It may span many requests, processes and days. The object does not
   * exist before `finishParts`. `removeUnfinished` removes a write that is never finished.
   */
  beginParts(key: string): Promise<string>;

  /**
   * Stores a part and returns its tag. All parts have the size of the first one; only the last may be smaller. The size
   * is at least `minPartBytes`, and the number at most `maxParts`. `offset` is the position in the object, in bytes. A
   * part may be stored again: the last one counts. When the promise resolves, the part survives a power loss, and the
   * caller may reuse `bytes`.
   * @throws UnknownWriteError if the write was finished, abandoned or never started
   */
  putPart(
    key: string,
    writeId: string,
    part: { readonly number: number; readonly offset: number },
    bytes: Buffer,
  ): Promise<string>;

  /**
   * Creates the object from its parts, at least one, as atomically as `put`, and returns its size in bytes. Pass all
   * stored parts: others are dropped or cause a `WrongPartsError`.
   * @throws UnknownWriteError if the write was finished, abandoned or never started, or its parts are known to be gone
   * @throws WrongPartsError if a part was never stored, or was stored again later with other bytes; the write stays
   * unfinished
   */
  finishParts(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;

  /** Abandons a write and frees its parts. Ignores a finished or unknown write. */
  abandonParts(key: string, writeId: string): Promise<void>;

  /**
   * Returns a link to the object for anyone until it expires, without a request to the store. Undefined without a
   * public address.
   */
  link(object: LinkedObject): string | undefined;

  /**
   * Opens an object or a range of it. The stream yields exactly the bytes from the time of opening, or an error, even
   * if the object is replaced or removed meanwhile. Fails with `StoreError` if the store breaks meanwhile. Destroying
   * the stream early frees all resources.
   * @throws ObjectNotFoundError
   * @throws RangeError if the range exceeds the object
   */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /** @throws ObjectNotFoundError */
  stat(key: string): Promise<ObjectInfo>;

  /**
   * Returns a read-only local file with the object's bytes, for tools that need a path. The folder store returns the
   * object itself at no cost; others download it into `directory`.
   * @throws ObjectNotFoundError
   */
  file(key: string, directory: string): Promise<LocalFile>;

  /**
   * Removes objects. A missing one counts as removed, so that a removal can be repeated after a crash. Removes nothing
   * if a key is invalid. A power loss may restore an object: the orphan sweep finds it.
   */
  remove(keys: readonly string[]): Promise<void>;

  /**
   * Lists all objects whose key starts with `prefix` (any text, empty for all), in no particular order. Holds at most
   * one page of names in memory. Objects that are written or removed meanwhile may be missing; all others are listed
   * once.
   */
  list(prefix: string): AsyncIterable<ObjectInfo>;

  /**
   * Removes remains of unfinished writes, in parts or not, that started before `before`, and returns their number.
   * Skips active writes of this process. Writes of other processes are judged by age alone, so `before` must be earlier
   * than the start of any active write. `except` lists ids of writes in parts that may take longer.
   */
  removeUnfinished(before: Date, except?: ReadonlySet<string>): Promise<number>;

  /**
   * Returns the size of the disk or bucket. Returns quickly; `usedBytes` may be some minutes old. @throws StoreError
   * also while the size is unknown
   */
  capacity(): Promise<Capacity>;
}

/** A stored part of a write in parts. */
export interface StoredPart {
  /** Counted from 1, without gaps. */
  readonly number: number;
  readonly tag: string;
}

/** S3's minimum size of every part but the last, in bytes. */
export const minPartBytes = 5 * 2 ** 20;

/** S3's maximum number of parts of an object. */
export const maxParts = 10_000;

/** Checks that a range lies within an object of `sizeBytes`. An empty object has no valid range. @throws RangeError */
export const checkRange = (key: string, { first, last }: ByteRange, sizeBytes: number): void => {
  const isWithin =
    Number.isSafeInteger(first) && Number.isSafeInteger(last) && 0 <= first && first <= last && last < sizeBytes;
  if (!isWithin) throw new RangeError(`bytes ${first}–${last} are outside object ${key} of ${sizeBytes} bytes`);
};
