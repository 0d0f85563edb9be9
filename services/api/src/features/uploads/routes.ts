import { randomUUIDv7 } from 'node:crypto';
import type { Request } from 'express';
import {
  checksumAlgorithms,
  NewUploadHeaders,
  TusHeaders,
  tusVersion,
  UploadHeaders,
} from '@hearth/contract/uploads.ts';
import type { UploadRow } from '@hearth/core/db/schema.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';
import type { Handlers } from '../../http/handle.ts';
import { clientGone, hasBody, receiveBytes } from '../../http/requests/requestBody.ts';
import { reserveSpaceFor } from '../../http/requests/reserveSpace.ts';
import { getPartBytes } from './splitIntoParts.ts';
import { finishReceivedUpload } from './finishUpload.ts';
import { acquireUpload, wrongOffsetError, type ClaimedUpload } from './acquireUpload.ts';
import { getUpload as getRow, insertUpload } from './queries.ts';
import { receiveUpload } from './receiveUpload.ts';
import { invalidHeaders, readTusHeaders, readUploadChecksum, readUploadMetadata } from './tusHeaders.ts';
import { abandonUpload, tryToAbandonUpload } from './uploadRemoval.ts';

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

/** Headers of tus extensions that are not in `Tus-Extension`. */
const unsupported = [
  ['Upload-Concat', 'is not supported; send the file as one upload'],
  ['Upload-Defer-Length', 'is not supported; send Upload-Length'],
] as const;

const createUpload: Handlers['createUpload'] = async (deps, { user: { userId }, requestId, req }) => {
  const headers = readTusHeaders(req, NewUploadHeaders);
  const { 'Upload-Length': lengthBytes, 'Upload-Metadata': metadata = '', 'Upload-Checksum': checksum } = headers;
  for (const [path, message] of unsupported)
    if (req.headers[path.toLowerCase()] !== undefined) throw invalidHeaders([{ path, message }]);
  const { maxUploadBytes, publicUrl = '' } = deps.config;
  if (lengthBytes > maxUploadBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `the maximum file size is ${maxUploadBytes} bytes`);
  // Only checks for space. Each later request reserves space for its own bytes, and the announced ones may never
  // arrive.
  (await deps.disk.reserve({ ownerId: userId, bytes: lengthBytes, received: () => 0 }))[Symbol.dispose]();
  readUploadMetadata(metadata);
  if (lengthBytes === 0) throw new AppError('NOT_MEDIA', 'the file is empty');
  const id = randomUUIDv7();
  const part_bytes = getPartBytes(lengthBytes);
  await insertUpload(deps.db, { id, user_id: userId, metadata, length_bytes: lengthBytes, part_bytes });
  if (hasBody(req)) {
    await using claimed = await acquireUpload(deps, { userId, id, requestId, signal: clientGone(req) });
    try {
      await receive(deps, claimed, req, checksum);
    } catch (error) {
      // The client does not know the upload's id, so it cannot resume it.
      await tryToAbandonUpload(deps, claimed);
      throw error;
    }
  }
  const Location = `${publicUrl}/v1/uploads/${id}`;
  return { status: 201, headers: { Location, ...presentUpload(await getRow(deps.db, userId, id)) } };
};

const getUpload: Handlers['getUpload'] = async (deps, { params: { id }, user: { userId }, requestId, req }) => {
  readTusHeaders(req, TusHeaders);
  // Claiming ends other requests on the upload, which first store all bytes they received.
  await using claimed = await acquireUpload(deps, { userId, id, requestId, signal: clientGone(req) });
  await finishIfReceived(deps, claimed);
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
  await using claimed = await acquireUpload(deps, { userId, id, requestId, offset, signal: clientGone(req) });
  const { received_bytes: receivedBytes, length_bytes: lengthBytes } = claimed.upload;
  if (offset !== receivedBytes) throw wrongOffsetError(receivedBytes);
  if (Number(req.headers['content-length'] ?? 0) > lengthBytes - receivedBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', `the upload has ${lengthBytes - receivedBytes} bytes left`);
  }
  if (receivedBytes < lengthBytes) await receive(deps, claimed, req, checksum);
  else await finishIfReceived(deps, claimed);
  return { status: 204, headers: presentUpload(await getRow(deps.db, userId, id)) };
};

const deleteUpload: Handlers['deleteUpload'] = async (deps, { params: { id }, user: { userId }, req }) => {
  readTusHeaders(req, TusHeaders);
  await using claimed = await acquireUpload(deps, { userId, id, signal: clientGone(req) });
  await abandonUpload(deps, claimed);
  return { status: 204, headers: { 'Tus-Resumable': tusVersion } };
};

export const uploadHandlers = {
  getUploadOptions,
  createUpload,
  getUpload,
  continueUpload,
  deleteUpload,
} satisfies Partial<Handlers>;

const receive = async (
  deps: Deps,
  claimed: ClaimedUpload,
  req: Request,
  checksumHeader: string | undefined,
): Promise<void> => {
  const checksum = checksumHeader === undefined ? undefined : readUploadChecksum(checksumHeader);
  const { user_id: ownerId, length_bytes, received_bytes } = claimed.upload;
  using reservation = await reserveSpaceFor(deps, req, { ownerId, atMostBytes: length_bytes - received_bytes });
  const ending = AbortSignal.any([claimed.endSignal, reservation.signal]);
  await receiveUpload(deps, claimed, receiveBytes(req, ending), checksum);
};

/** The request with the last byte may have crashed before it finished the upload. */
const finishIfReceived = async (deps: Deps, claimed: ClaimedUpload): Promise<void> => {
  const { received_bytes, length_bytes, media_item_id } = claimed.upload;
  if (received_bytes === length_bytes && media_item_id === null) await finishReceivedUpload(deps, claimed);
};

/** Returns the progress of an upload as headers. */
const presentUpload = ({ received_bytes, expires_at, media_item_id }: UploadRow) => ({
  'Tus-Resumable': tusVersion,
  'Upload-Offset': received_bytes,
  'Upload-Expires': expires_at.toUTCString(),
  'Hearth-Media-Item-Id': media_item_id ?? undefined,
});
