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

/** A local file with an object's bytes. Disposing of it removes a downloaded file, and never the object. */
export interface LocalFile extends AsyncDisposable {
  readonly path: string;
}

/** The contents of a link to an object. */
export interface LinkedObject {
  readonly key: string;
  /** The content type that the answer carries. */
  readonly contentType: string;
  /** The whole `Content-Disposition` of the answer. */
  readonly contentDisposition: string;
  /** When the link was signed, and for how many seconds it works. Equal values make equal links. */
  readonly signedAt: Date;
  readonly validSeconds: number;
}

/** How much the store holds and could hold, in bytes. Used and free may add up to less than the total: some is reserved. */
export interface Capacity {
  /** Undefined, like `freeBytes`, where it is not known: S3 does not tell. */
  readonly totalBytes: number | undefined;
  readonly freeBytes: number | undefined;
  readonly usedBytes: number;
}

/**
 * Where the bytes are. This interface is the specification: `objectsSuite.ts` tests each sentence of it on every implementation. A key is
 * one or more segments of `[A-Za-z0-9._-]` joined by `/`, 1–512 characters in all and 1–255 in a segment; no segment begins with a dot.
 * Every method throws `InvalidKeyError` for any other text, before it touches the store. A key that continues another one (`a/b` beside the
 * object `a`) is valid, but not every store can hold both: `put` may then throw.
 *
 * An object is written whole or not at all: at no moment, a crash or power loss included, does a reader see part of one. Errors of the
 * store itself (disk full, connection lost) are thrown as `StoreError` with their cause and are worth a retry; an error that `isNotFound`
 * recognises is not. A store that is away never looks like an empty one.
 */
export interface ObjectStore {
  /** True if each call needs a request over the network. */
  readonly isRemote: boolean;

  /** Makes what the store itself needs, such as its bucket; does nothing where that exists. @throws StoreError */
  prepare(): Promise<void>;

  /**
   * Makes the folders of a folder store that is known to be the right one. From then on, a folder store without the marker of `library`, if
   * that is given, counts as unavailable: each write, and each read of an object that is not found, throws `StoreError`.
   */
  claim(library?: string): Promise<void>;

  /**
   * Writes all bytes of `body` under `key` and answers their number. When the promise resolves, the bytes survive a power loss. An existing
   * object is replaced in one step; of several writes to one key at once, one stays, whole.
   *
   * The promise rejects if `body` fails, `body` closes before its end, or `signal` is aborted, with that error (of the signal: its reason).
   * Then neither a new object nor a fragment is left, and an older object stays as it was. After a `StoreError` the new object may exist,
   * whole, or not. Whenever the promise rejects, `body` is destroyed. Memory stays bounded whatever the size of `body`.
   */
  put(key: string, body: Readable, options?: { readonly signal?: AbortSignal }): Promise<number>;

  /**
   * Begins a write in parts, which may take many requests, processes and days, and answers its id. Nothing is under `key` before
   * `finishParts`. `removeUnfinished` removes a write that is never finished.
   */
  beginParts(key: string): Promise<string>;

  /**
   * Stores one part and answers its tag. All parts have the size of the first one; only the last may be smaller. That size is at least
   * `minPartBytes`, and a part's number at most `maxParts`. `offset` is where the part begins in the object, in bytes. A part may be stored
   * again: the last one counts. When the promise resolves, the part survives a power loss, and the caller may reuse `bytes`.
   * @throws UnknownWriteError where the write was finished, abandoned or never begun
   */
  putPart(
    key: string,
    writeId: string,
    part: { readonly number: number; readonly offset: number },
    bytes: Buffer,
  ): Promise<string>;

  /**
   * Makes the object of these parts, at least one, in one step, as `put` does, and answers its size in bytes. They should be all stored
   * parts: others are left out, or make this throw `WrongPartsError`.
   * @throws UnknownWriteError where the write was finished, abandoned or never begun, or its parts are known to be gone
   * @throws WrongPartsError where one of them was never stored, or was stored again later with other bytes; the write stays unfinished
   */
  finishParts(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;

  /** Abandons a write and frees its parts. A write that is finished or unknown counts as abandoned. */
  abandonParts(key: string, writeId: string): Promise<void>;

  /** A link to the object in the store that works for anybody until it expires, made without a request; undefined without a public address. */
  link(object: LinkedObject): string | undefined;

  /**
   * Opens an object, or one range of it, which must lie within its size. The stream gives all these bytes as they were when it was opened,
   * or an error, also when the object is replaced or removed meanwhile. It fails with `StoreError` if the store breaks meanwhile.
   * Destroying the stream early frees everything.
   * @throws ObjectNotFoundError
   * @throws RangeError if the range does not lie within the object
   */
  open(key: string, range?: ByteRange): Promise<Readable>;

  /** @throws ObjectNotFoundError */
  stat(key: string): Promise<ObjectInfo>;

  /**
   * A local file with the object's bytes, for tools that need a path; it must not be written to. The folder store answers the object itself
   * at no cost; others download it into `directory`.
   * @throws ObjectNotFoundError
   */
  file(key: string, directory: string): Promise<LocalFile>;

  /**
   * Removes objects. One that does not exist counts as removed, so a removal can be repeated after a crash. If one key is invalid, nothing
   * is removed. A power loss may bring an object back: the orphan sweep finds it.
   */
  remove(keys: readonly string[]): Promise<void>;

  /**
   * All objects whose key begins with `prefix` (any text, or empty for all), in no particular order. Holds no more than a page of names in
   * memory. An object that is put or removed meanwhile may be seen or not; every other one is seen once.
   */
  list(prefix: string): AsyncIterable<ObjectInfo>;

  /**
   * Removes what unfinished writes, in parts or not, that began before `before` have left behind, and answers how many there were. Writes
   * of this process that are still running are left alone. Whether a write of another process still runs is told by its age alone, so
   * `before` has to lie further back than any write takes. `except` names the ids of writes in parts that may take longer.
   */
  removeUnfinished(before: Date, except?: ReadonlySet<string>): Promise<number>;

  /** The bytes of the disk or bucket. Answers quickly; `usedBytes` may be some minutes old. @throws StoreError also while it is not known */
  capacity(): Promise<Capacity>;
}

/** A stored part of a write in parts. */
export interface StoredPart {
  /** The number of the part: from 1, without a gap. */
  readonly number: number;
  /** The tag that `putPart` returned. */
  readonly tag: string;
}

/** Bytes of every part but the last at least, and parts of a write at most: S3's limits. */
export const minPartBytes = 5 * 2 ** 20;
export const maxParts = 10_000;

/** Checks that a range lies within an object of `sizeBytes`; an empty object has no range. @throws RangeError */
export const checkRange = (key: string, { first, last }: ByteRange, sizeBytes: number): void => {
  const isWithin =
    Number.isSafeInteger(first) && Number.isSafeInteger(last) && 0 <= first && first <= last && last < sizeBytes;
  if (!isWithin) throw new RangeError(`bytes ${first}–${last} do not lie within object ${key} of ${sizeBytes} bytes`);
};
