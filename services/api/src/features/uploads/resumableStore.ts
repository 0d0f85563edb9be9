import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { advanceUpload, getUpload, setUploadWrite, type UploadPart } from './queries.ts';
import { newTailKey, originalKey } from '@hearth/core/objects/keys.ts';
import type { Deps } from '../../deps/deps.ts';
import type { MediaKind } from './mediaKind.ts';
import { locked, type HeldUpload } from './holdUpload.ts';
import { resumeHash, type ResumableHash } from './resumableHash.ts';

/**
 * The stored bytes of an upload: parts of one size, and a smaller tail behind them. They count as received once they are committed, in one
 * transaction with the state of the hash. Bytes that were not committed are sent and written again.
 */
export interface UploadStore {
  /** The byte at which the next part begins. */
  readonly position: () => number;
  readTail(): Promise<Buffer>;
  /** Stores the next part; only the last one of the file may be smaller than the others. */
  addPart(bytes: Buffer): Promise<void>;
  /**
   * Stores `tail` behind the parts and commits all of them.
   * @throws NotFoundError, AppError UPLOAD_LOCKED where the upload is gone or another request has it
   */
  commit(tail: Buffer, kind: MediaKind | undefined): Promise<void>;
}

/** The store of an upload whose claim this request holds. */
export const openUploadStore = ({ db, objects }: Deps, { claim, upload }: HeldUpload): UploadStore => {
  const { id, user_id, part_bytes, length_bytes } = upload;
  const key = originalKey(user_id, id);
  const committed = { bytes: upload.received_bytes, tailKey: upload.tail_key };
  let position = committed.bytes - (committed.bytes % part_bytes);
  let parts: UploadPart[] = [];
  let writeId = upload.write_id;
  let hashState = upload.hash_state;
  let hash: Promise<ResumableHash | undefined> | undefined;

  const beginWrite = async (): Promise<string> => {
    const begun = await objects.beginParts(key);
    if (await setUploadWrite(db, claim, begun)) return begun;
    await objects.abandonParts(key, begun);
    return refuse();
  };

  const refuse = async (): Promise<never> => {
    await getUpload(db, user_id, id);
    throw locked();
  };

  /** A hash whose state could not be read once stays unknown: the checksum is then computed of the finished object. */
  const openHash = async (): Promise<ResumableHash | undefined> =>
    position > 0 && hashState === null ? undefined : resumeHash(hashState ?? undefined);

  return {
    position: () => position,

    readTail: async () =>
      committed.tailKey === null ? Buffer.alloc(0) : buffer(await objects.open(committed.tailKey)),

    addPart: async (bytes) => {
      writeId ??= await beginWrite();
      const sum = await (hash ??= openHash());
      const part = { number: position / part_bytes + 1, offset: position };
      const [tag] = await Promise.all([objects.putPart(key, writeId, part, bytes), sum?.update(bytes)]);
      parts.push({ number: part.number, tag });
      hashState = sum?.state() ?? null;
      position += bytes.length;
    },

    commit: async (tail, kind) => {
      const receivedBytes = position + tail.length;
      if (receivedBytes === committed.bytes) return;
      const tailKey = tail.length === 0 ? null : newTailKey(user_id, id);
      if (tailKey !== null) await objects.put(tailKey, Readable.from([tail], { objectMode: false }));
      const progress = {
        received_bytes: receivedBytes,
        hash_state: hashState,
        tail_key: tailKey,
        mime_type: kind?.mimeType ?? null,
        type: kind?.type ?? null,
        checksum: position === length_bytes ? ((await hash)?.digest() ?? null) : null,
      };
      const isAdvanced = await advanceUpload(db, claim, committed.bytes, progress, parts);
      // If the statement throws, it may have been committed all the same: then nothing is removed, and the orphan sweep removes the unused
      // tail.
      const left = isAdvanced ? committed.tailKey : tailKey;
      if (left !== null) await objects.remove([left]).catch(() => undefined);
      if (!isAdvanced) await refuse();
      Object.assign(committed, { bytes: receivedBytes, tailKey });
      parts = [];
    },
  };
};
