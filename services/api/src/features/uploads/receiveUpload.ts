import { getUpload } from './queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { isNotFound, UnknownWriteError } from '@hearth/core/objects/objectErrors.ts';
import type { Deps } from '../../deps/deps.ts';
import { createBulkhead } from '../../limits/bulkhead.ts';
import { watchKind } from './mediaKind.ts';
import { finishReceivedUpload, finishSmallUpload, type Finishing } from './finishUpload.ts';
import { giveUp } from './resumableGiveUp.ts';
import { cutIntoPieces } from './cutIntoPieces.ts';
import { openUploadStore } from './resumableStore.ts';
import type { ChecksumTest } from './uploadChecksum.ts';

/** Requests with bytes that may run at the same time: each holds up to two parts, 16 MiB, in memory. */
const bulkhead = createBulkhead({ total: 24, perUser: 8 });

/** The bytes of one request, as they arrive. */
export interface IncomingBytes {
  /** Ends without an error where the client vanishes or the work has to end early. */
  readonly body: AsyncIterable<Buffer>;
  /** Throws the error to answer where fewer bytes arrived than the client announced; called when `body` has ended. */
  readonly assertWhole: () => void;
}

/**
 * Receives the bytes that a client sends to continue an upload, and finishes the upload with its last byte. Bytes that arrived before a
 * request was cut off are kept. With a checksum, all bytes of the request are kept or none.
 * @throws AppError NOT_MEDIA and UPLOAD_GONE, after which the upload is given up
 * @throws AppError UNAVAILABLE where too many uploads are being received
 * @throws AppError PAYLOAD_TOO_LARGE, CHECKSUM_MISMATCH, what `assertWhole` throws, and what `keepOriginal` throws
 */
export const receiveUpload = async (
  deps: Deps,
  finishing: Finishing,
  incoming: IncomingBytes,
  checksum?: ChecksumTest,
): Promise<void> => {
  try {
    await bulkhead(finishing.held.upload.user_id, () => receive(deps, finishing, incoming, checksum));
  } catch (error) {
    const isLost = error instanceof UnknownWriteError || isNotFound(error);
    if (isLost || (error instanceof AppError && error.code === 'NOT_MEDIA')) {
      await giveUp(deps, finishing.held).catch((cause: unknown) =>
        deps.log.warn({ err: cause }, 'an upload stays until it expires'),
      );
    }
    throw isLost
      ? new AppError('UPLOAD_GONE', 'what was received is lost; begin a new upload', { cause: error })
      : error;
  }
};

const receive = async (
  deps: Deps,
  { held, requestId }: Finishing,
  incoming: IncomingBytes,
  checksum: ChecksumTest | undefined,
): Promise<void> => {
  const { id, user_id, length_bytes: lengthBytes, part_bytes: partBytes, mime_type: mimeType, type } = held.upload;
  const store = openUploadStore(deps, held);
  const tail = await store.readTail();
  const beginning = watchKind(mimeType !== null && type !== null ? { mimeType, type } : undefined, tail, lengthBytes);
  // With a checksum, the kind of the file is judged only after the checksum has shown that these are the bytes that were sent.
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of incoming.body) {
      checksum?.update(chunk);
      beginning.look(chunk);
      if (checksum === undefined) await beginning.kind();
      yield chunk;
    }
  };

  let position = store.position();
  let rest: Buffer = Buffer.alloc(0);
  let storing = Promise.resolve();
  const storePart = async (piece: Buffer): Promise<void> => {
    await store.addPart(piece);
    if (checksum === undefined) await store.commit(Buffer.alloc(0), await beginning.kind());
  };
  try {
    for await (const piece of cutIntoPieces(watched(), { partBytes, tail, leftBytes: lengthBytes - position })) {
      await storing;
      position += piece.length;
      if (piece.length < partBytes || position === lengthBytes) {
        if (piece.length > 0) rest = piece;
        continue;
      }
      // While this part is stored, the next one is received.
      storing = storePart(piece);
      storing.catch(() => undefined);
    }
  } finally {
    await Promise.allSettled([storing]);
  }
  await storing;

  if (checksum !== undefined) {
    incoming.assertWhole();
    if (!checksum.fits()) throw new AppError('CHECKSUM_MISMATCH');
  }
  const kind = await beginning.kind();
  if (position < lengthBytes || kind === undefined) {
    await store.commit(rest, kind);
    incoming.assertWhole();
  } else if (lengthBytes <= partBytes) {
    await finishSmallUpload(deps, { held, requestId }, rest, kind);
  } else {
    await store.addPart(rest);
    await store.commit(Buffer.alloc(0), kind);
    const upload = await getUpload(deps.db, user_id, id);
    await finishReceivedUpload(deps, { held: { ...held, upload }, requestId });
  }
};
