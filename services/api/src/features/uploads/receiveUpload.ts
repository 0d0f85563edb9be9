import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError } from '@hearth/core/log/errors.ts';
import { newTailKey, originalKey } from '@hearth/core/objects/keys.ts';
import { isNotFound, UnknownWriteError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../../deps/deps.ts';
import type { IncomingBytes } from '../../http/requests/requestBody.ts';
import { createBulkhead } from '../../limits/bulkhead.ts';
import { splitIntoParts } from './splitIntoParts.ts';
import { finishReceivedUpload, finishSmallUpload } from './finishUpload.ts';
import { lockedError, type ClaimedUpload } from './acquireUpload.ts';
import { createKindDetector, type MediaKind } from '../../ingest/mediaKind.ts';
import { advanceUpload, getUpload, setUploadWrite, type UploadPart } from './queries.ts';
import { resumeHash, type ResumableHash } from './resumableHash.ts';
import type { ChecksumTest } from './tusHeaders.ts';
import { tryToAbandonUpload } from './uploadRemoval.ts';

/** Concurrent requests with bytes. Each holds up to two parts in memory, 16 MiB. */
const bulkhead = createBulkhead({ total: 24, perUser: 8 });

/**
 * Receives bytes of an upload, and finishes it with the last one. Keeps the bytes that arrived before an interruption;
 * with a checksum, keeps all bytes of the request or none.
 * @throws AppError NOT_MEDIA or UPLOAD_GONE, after deleting the upload
 * @throws AppError UNAVAILABLE if too many uploads are active
 * @throws AppError PAYLOAD_TOO_LARGE or CHECKSUM_MISMATCH
 * @throws errors of `assertComplete` and `ingestStoredFile`
 */
export const receiveUpload = async (
  deps: Deps,
  claimed: ClaimedUpload,
  incoming: IncomingBytes,
  checksum?: ChecksumTest,
): Promise<void> => {
  try {
    await bulkhead(claimed.upload.user_id, () => receive(deps, claimed, incoming, checksum));
  } catch (error) {
    const isLost = error instanceof UnknownWriteError || isNotFound(error);
    if (isLost || (error instanceof AppError && error.code === 'NOT_MEDIA')) await tryToAbandonUpload(deps, claimed);
    throw isLost ? new AppError('UPLOAD_GONE', 'received data is lost; start a new upload', { cause: error }) : error;
  }
};

const receive = async (
  deps: Deps,
  claimed: ClaimedUpload,
  incoming: IncomingBytes,
  checksum: ChecksumTest | undefined,
): Promise<void> => {
  const { id, user_id, length_bytes: lengthBytes, part_bytes: partBytes, mime_type: mimeType, type } = claimed.upload;
  const store = openUploadStore(deps, claimed);
  const tail = await store.readTail();
  const kindDetector = createKindDetector(
    mimeType !== null && type !== null ? { mimeType, type } : undefined,
    tail,
    lengthBytes,
  );
  // With a checksum, the file type is checked only after the checksum has matched.
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of incoming.body) {
      checksum?.update(chunk);
      kindDetector.look(chunk);
      if (checksum === undefined) await kindDetector.kind();
      yield chunk;
    }
  };

  let position = store.position();
  let rest: Buffer = Buffer.alloc(0);
  let storing = Promise.resolve();
  const storePart = async (piece: Buffer): Promise<void> => {
    await store.addPart(piece);
    if (checksum === undefined) await store.commit(Buffer.alloc(0), await kindDetector.kind());
  };
  try {
    for await (const piece of splitIntoParts(watched(), { partBytes, tail, leftBytes: lengthBytes - position })) {
      await storing;
      position += piece.length;
      if (piece.length < partBytes || position === lengthBytes) {
        if (piece.length > 0) rest = piece;
        continue;
      }
      // Stores this part while the next one is received.
      storing = storePart(piece);
      storing.catch(() => undefined);
    }
  } finally {
    await Promise.allSettled([storing]);
  }
  await storing;

  if (checksum !== undefined) {
    incoming.assertComplete();
    if (!checksum.fits()) throw new AppError('CHECKSUM_MISMATCH');
  }
  const kind = await kindDetector.kind();
  if (position < lengthBytes || kind === undefined) {
    await store.commit(rest, kind);
    incoming.assertComplete();
  } else if (lengthBytes <= partBytes) {
    await finishSmallUpload(deps, claimed, rest, kind);
  } else {
    await store.addPart(rest);
    await store.commit(Buffer.alloc(0), kind);
    await finishReceivedUpload(deps, { ...claimed, upload: await getUpload(deps.db, user_id, id) });
  }
};

/**
 * Opens the stored bytes of a claimed upload: parts of equal size, and a smaller tail after them. They count as
 * received once committed, in one transaction with the hash state. The client sends uncommitted bytes again.
 */
export const openUploadStore = ({ db, objects }: Deps, { claim, upload }: ClaimedUpload) => {
  const { id, user_id, part_bytes, length_bytes } = upload;
  const key = originalKey(user_id, id);
  const committed = { bytes: upload.received_bytes, tailKey: upload.tail_key };
  let position = committed.bytes - (committed.bytes % part_bytes);
  let parts: UploadPart[] = [];
  let writeId = upload.write_id;
  let hashState = upload.hash_state;
  let hash: Promise<ResumableHash | undefined> | undefined;

  const beginWrite = async (): Promise<string> => {
    const started = await objects.beginParts(key);
    if (await setUploadWrite(db, claim, started)) return started;
    await objects.abandonParts(key, started);
    return rejectLostClaim();
  };

  const rejectLostClaim = async (): Promise<never> => {
    await getUpload(db, user_id, id);
    throw lockedError();
  };

  /** Returns undefined if the state cannot be read. Then the checksum is computed from the finished object. */
  const openHash = async (): Promise<ResumableHash | undefined> =>
    position > 0 && hashState === null ? undefined : resumeHash(hashState ?? undefined);

  return {
    /** Offset of the next part. */
    position: (): number => position,

    readTail: async (): Promise<Buffer> =>
      committed.tailKey === null ? Buffer.alloc(0) : buffer(await objects.open(committed.tailKey)),

    /** Stores the next part. Only the last part of the file may be smaller. */
    addPart: async (bytes: Buffer): Promise<void> => {
      writeId ??= await beginWrite();
      const sum = await (hash ??= openHash());
      const part = { number: position / part_bytes + 1, offset: position };
      const [tag] = await Promise.all([objects.putPart(key, writeId, part, bytes), sum?.update(bytes)]);
      parts.push({ number: part.number, tag });
      hashState = sum?.state() ?? null;
      position += bytes.length;
    },

    /**
     * Stores `tail` after the parts and commits everything.
     * @throws NotFoundError if the upload is gone
     * @throws AppError UPLOAD_LOCKED if another request has the claim
     */
    commit: async (tail: Buffer, kind: MediaKind | undefined): Promise<void> => {
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
      // If the statement throws, it may have been committed anyway. Then nothing is deleted here, and the orphan sweep
      // deletes the unused tail.
      const unusedTail = isAdvanced ? committed.tailKey : tailKey;
      if (unusedTail !== null) await objects.remove([unusedTail]).catch(() => undefined);
      if (!isAdvanced) await rejectLostClaim();
      Object.assign(committed, { bytes: receivedBytes, tailKey });
      parts = [];
    },
  };
};
