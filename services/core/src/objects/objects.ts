import type { Readable } from 'node:stream';
import type { StoredPart } from './parts.ts';

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

/** What a link to an object's bytes says besides the object. */
export interface LinkedObject {
  readonly key: string;
  /** The content type that the answer carries. */
  readonly contentType: string;
  /** The whole `Content-Disposition` of the answer. */
  readonly contentDisposition: string;
  /** From when on, and for how many seconds, the link works; equal values make equal links. */
  readonly signedAt: Date;
  readonly validSeconds: number;
}

/** How much the store holds and could hold, in bytes. Used and free may add up to less than the total: some is reserved. */
export interface Capacity {
  /** Undefined, as is `freeBytes`, where nobody knows it: S3 does not tell. */
  readonly totalBytes: number | undefined;
  readonly freeBytes: number | undefined;
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
  /** Makes what the store itself needs, such as its bucket; harmless when it is there. @throws StoreError */
  prepare(): Promise<void>;

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
   * Begins a write that may go on over many requests, processes and days, and answers the id that names it from then on.
   * Nothing is under `key` before `finishParts`; what is never finished is found by `removeUnfinished`.
   */
  beginParts(key: string): Promise<string>;

  /**
   * Stores one part and answers its tag. All parts have the size of the first but the last one, which may be smaller; that size is
   * at least `minPartBytes`, and a number at most `maxParts`. `offset` is where the part begins in the object, in bytes. A part may be stored
   * again: the last one stored counts. When the promise resolves, the part survives a power loss. `bytes` may be used again then.
   * @throws UnknownWriteError where the write was finished, abandoned or never begun
   */
  putPart(
    key: string,
    writeId: string,
    part: { readonly number: number; readonly offset: number },
    bytes: Buffer,
  ): Promise<string>;

  /**
   * Makes the object of these parts, at least one, in one step, as `put` does, and answers its size in bytes. They should be all that were
   * stored: others are left out, or refused as `WrongPartsError`.
   * @throws UnknownWriteError where the write was finished, abandoned or never begun, or its parts are known to be gone
   * @throws WrongPartsError where one of them was never stored, or was stored again later with other bytes; the write stays unfinished
   */
  finishParts(key: string, writeId: string, parts: readonly StoredPart[]): Promise<number>;

  /** Gives a write up and frees what it holds; one that is finished or unknown is as good as given up. */
  abandonParts(key: string, writeId: string): Promise<void>;

  /**
   * A link by which anybody gets the object straight from the store until it ends; undefined where the store has no public
   * address. Made without asking the store.
   */
  link(object: LinkedObject): string | undefined;

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
   * Removes what writes, in parts or not, begun before `before` and never finished have left behind, and answers how many there were. Writes
   * that this process is still at are left alone; those of other processes are told by their age, so `before` has to lie
   * further back than any write takes. Writes in parts that may go on for longer are named in `except`, by their ids.
   */
  removeUnfinished(before: Date, except?: ReadonlySet<string>): Promise<number>;

  /**
   * Total, free and used bytes of what lies behind the store. Answers quickly; `usedBytes` may be some minutes old.
   * @throws StoreError also where `usedBytes` is not known yet
   */
  capacity(): Promise<Capacity>;
}
