import { randomUUIDv7 } from 'node:crypto';
import { insertUpload } from './queries.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';
import { partBytesOf } from './cutIntoPieces.ts';
import { readUploadMetadata } from './tusHeaders.ts';

/**
 * Begins a resumable upload, and answers its id.
 * @throws AppError VALIDATION_FAILED, NOT_MEDIA for an empty file, PAYLOAD_TOO_LARGE, TOO_MANY_UPLOADS or UNAUTHORIZED
 */
export const beginUpload = async (
  { db, config }: Pick<Deps, 'db' | 'config'>,
  {
    userId,
    lengthBytes,
    metadata,
  }: { readonly userId: string; readonly lengthBytes: number; readonly metadata: string },
): Promise<string> => {
  readUploadMetadata(metadata);
  if (lengthBytes === 0) throw new AppError('NOT_MEDIA', 'the file is empty');
  refuseUploadLength(lengthBytes, config.maxUploadBytes);
  const id = randomUUIDv7();
  const part_bytes = partBytesOf(lengthBytes);
  await insertUpload(db, { id, user_id: userId, metadata, length_bytes: lengthBytes, part_bytes });
  return id;
};

/** @throws AppError PAYLOAD_TOO_LARGE for a file of more than `maxBytes` */
export const refuseUploadLength = (lengthBytes: number, maxBytes: number): void => {
  if (lengthBytes > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE', `a file may have ${maxBytes} bytes`);
};
