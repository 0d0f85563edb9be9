import type { Request } from 'express';
import { findAvailableBytes, hasOriginalOfSize } from '../../accounts/quotas.ts';
import type { SpaceReservation } from '@hearth/core/disk/diskSpace.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';

/** Maximum bytes of a multipart body in addition to its file. */
const multipartOverheadBytes = 64 * 1024;

/**
 * Rejects a multipart body by its declared length, before free space is considered. Allows `multipartOverheadBytes` in
 * addition to the limit. The exact file size is checked while it arrives.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export const rejectTooLarge = (req: Request, maxFileBytes: number): void => {
  if (Number(req.headers['content-length'] ?? 0) > maxFileBytes + multipartOverheadBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `the maximum file size is ${maxFileBytes} bytes`);
};

/**
 * Rejects a body that exceeds the account's quota, before its first byte is read. Accepts one that may repeat an
 * original of the account. The quota is checked again after the whole body has arrived.
 * @throws AppError QUOTA_EXCEEDED
 */
export const rejectOverQuota = async ({ db }: Pick<Deps, 'db'>, req: Request, userId: string): Promise<void> => {
  const available = await findAvailableBytes(db, userId);
  if (available === undefined) return;
  const length = req.headers['content-length'];
  const fileBytes = Math.max(1, Number(length ?? 0) - multipartOverheadBytes);
  if (fileBytes <= available) return;
  const atMostBytes = length === undefined ? Number.MAX_SAFE_INTEGER : Number(length);
  if (!(await hasOriginalOfSize(db, userId, fileBytes, atMostBytes))) throw new AppError('QUOTA_EXCEEDED');
};

/**
 * Reserves disk space for a request body, at most `atMostBytes`, before its first byte is read.
 * @throws AppError STORAGE_FULL
 */
export const reserveSpaceFor = async (
  { disk }: Pick<Deps, 'disk'>,
  req: Request,
  { ownerId, atMostBytes }: { readonly ownerId: string; readonly atMostBytes: number },
): Promise<SpaceReservation> => {
  const length = req.headers['content-length'];
  const before = req.socket.bytesRead;
  return disk.reserve({
    ownerId,
    bytes: length === undefined ? undefined : Math.min(Number(length), atMostBytes),
    // Includes headers, so it is off by up to a few kilobytes.
    received: () => req.socket.bytesRead - before,
  });
};
