import type { Request } from 'express';
import {
  checksumAlgorithms,
  NewUploadHeaders,
  TusHeaders,
  tusVersion,
  UploadHeaders,
} from '@hearth/contract/uploads.ts';
import { getUpload as getRow } from './queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import { beginUpload, refuseUploadLength } from './beginUpload.ts';
import { holdUpload, wrongOffset, type HeldUpload } from './holdUpload.ts';
import { finishReceivedUpload } from './finishUpload.ts';
import { giveUp } from './resumableGiveUp.ts';
import { receiveUpload } from './receiveUpload.ts';
import { readUploadChecksum } from './uploadChecksum.ts';
import type { Deps } from '../../deps/deps.ts';
import type { Handlers } from '../../http/handlers.ts';
import { reserveSpaceFor } from '../../http/reserveSpace.ts';
import { hasBody } from '../../http/requestBody.ts';
import { clientGone, receiveBytes } from './receiveBytes.ts';
import { readTusHeaders } from '../../http/tusProtocol.ts';
import { presentUpload } from './presenter.ts';

const getUploadOptions: Handlers['getUploadOptions'] = async ({ config }) => ({
  status: 204,
  headers: {
    'Tus-Resumable': tusVersion,
    'Tus-Version': tusVersion,
    'Tus-Extension': 'creation,creation-with-upload,expiration,checksum,termination',
    'Tus-Max-Size': config.maxUploadBytes,
    'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
  },
});

/** Headers of tus extensions that `Tus-Extension` does not name. */
const unsupported = [
  ['Upload-Concat', 'is not supported: send the file as one upload'],
  ['Upload-Defer-Length', 'is not supported: send Upload-Length alone'],
] as const;

const createUpload: Handlers['createUpload'] = async (deps, { user: { userId }, requestId, req }) => {
  const headers = readTusHeaders(req, NewUploadHeaders);
  for (const [name, message] of unsupported)
    if (req.headers[name.toLowerCase()] !== undefined) throw invalid(`headers.${name}`, message);
  const metadata = headers['Upload-Metadata'] ?? '';
  refuseUploadLength(headers['Upload-Length'], deps.config.maxUploadBytes);
  // Only checks for room: each later request reserves space for its own bytes, and the announced ones may never arrive.
  (await deps.disk.reserve({ ownerId: userId, bytes: headers['Upload-Length'], received: () => 0 }))[Symbol.dispose]();
  const id = await beginUpload(deps, { userId, lengthBytes: headers['Upload-Length'], metadata });
  if (hasBody(req)) {
    await using held = await holdUpload(deps, { userId, id, signal: clientGone(req) });
    try {
      await receive(deps, held, { req, requestId, checksum: headers['Upload-Checksum'] });
    } catch (error) {
      // The client does not know the upload's id and cannot continue it.
      await giveUp(deps, held).catch((cause: unknown) =>
        deps.log.warn({ err: cause }, 'an upload stays until it expires'),
      );
      throw error;
    }
  }
  const location = `${deps.config.publicUrl ?? ''}/v1/uploads/${id}`;
  return { status: 201, headers: { Location: location, ...presentUpload(await getRow(deps.db, userId, id)) } };
};

const getUpload: Handlers['getUpload'] = async (deps, { params: { id }, user: { userId }, requestId, req }) => {
  readTusHeaders(req, TusHeaders);
  // Claiming the upload ends another request on it, and counts every byte that the other one has received.
  await using held = await holdUpload(deps, { userId, id, signal: clientGone(req) });
  await finishIfReceived(deps, held, requestId);
  const upload = await getRow(deps.db, userId, id);
  return {
    status: 200,
    headers: {
      ...presentUpload(upload),
      'Upload-Length': upload.length_bytes,
      'Upload-Metadata': upload.metadata || undefined,
      'Cache-Control': 'no-store',
    },
  };
};

const continueUpload: Handlers['continueUpload'] = async (
  deps,
  { params: { id }, user: { userId }, requestId, req },
) => {
  const { 'Upload-Offset': offset, 'Upload-Checksum': checksum } = readTusHeaders(req, UploadHeaders);
  await using held = await holdUpload(deps, { userId, id, offset, signal: clientGone(req) });
  const { received_bytes: receivedBytes, length_bytes: lengthBytes } = held.upload;
  if (offset !== receivedBytes) throw wrongOffset(receivedBytes);
  if (Number(req.headers['content-length'] ?? 0) > lengthBytes - receivedBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `the upload has ${lengthBytes - receivedBytes} bytes left`);
  }
  if (receivedBytes < lengthBytes) await receive(deps, held, { req, requestId, checksum });
  else await finishIfReceived(deps, held, requestId);
  return { status: 204, headers: presentUpload(await getRow(deps.db, userId, id)) };
};

const deleteUpload: Handlers['deleteUpload'] = async (deps, { params: { id }, user: { userId }, req }) => {
  readTusHeaders(req, TusHeaders);
  await using held = await holdUpload(deps, { userId, id, signal: clientGone(req) });
  await giveUp(deps, held);
  return { status: 204, headers: { 'Tus-Resumable': tusVersion } };
};

export const uploadHandlers = {
  getUploadOptions,
  createUpload,
  getUpload,
  continueUpload,
  deleteUpload,
} satisfies Partial<Handlers>;

interface Receiving {
  readonly req: Request;
  readonly requestId: string;
  readonly checksum: string | undefined;
}

const receive = async (deps: Deps, held: HeldUpload, { req, requestId, checksum }: Receiving): Promise<void> => {
  const test = checksum === undefined ? undefined : readUploadChecksum(checksum);
  const { user_id: ownerId, length_bytes, received_bytes } = held.upload;
  using reservation = await reserveSpaceFor(deps, req, { ownerId, atMostBytes: length_bytes - received_bytes });
  const ending = AbortSignal.any([held.ending, reservation.signal]);
  await receiveUpload(deps, { held, requestId }, receiveBytes(req, ending), test);
};

/** The request that brought the last byte may have been cut off while it finished the upload. */
const finishIfReceived = async (deps: Deps, held: HeldUpload, requestId: string): Promise<void> => {
  const { received_bytes, length_bytes, media_item_id } = held.upload;
  if (received_bytes === length_bytes && media_item_id === null) await finishReceivedUpload(deps, { held, requestId });
};

const invalid = (path: string, message: string): AppError =>
  new AppError('VALIDATION_FAILED', undefined, { errors: [{ path, message }] });
