import type { Request } from 'express';
import { findAvailableBytes, hasOriginalOfSize } from '../../accounts/quotas.ts';
import type { SpaceReservation } from '@hearth/core/disk/diskSpace.ts';
import { AppError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../../deps/deps.ts';

/** Bytes of a multipart body besides its file, at most. */
const besideFileBytes = 64 * 1024;

/**
 * Refuses a multipart body whose declared length exceeds the limit of a file, before free space is considered. A body that is at most
 * `besideFileBytes` longer passes: its file may be within the limit, which is checked while it arrives.
 * @throws AppError PAYLOAD_TOO_LARGE
 */
export const refuseTooLarge = (req: Request, maxFileBytes: number): void => {
  if (Number(req.headers['content-length'] ?? 0) > maxFileBytes + besideFileBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `a file may have ${maxFileBytes} bytes`);
};

/**
 * Refuses a body that cannot fit an account's quota, before its first byte is read. Passes one that may have the bytes of an original of the
 * account. The quota is checked again when the whole body has arrived.
 * @throws AppError QUOTA_EXCEEDED
 */
export const refuseOverQuota = async ({ db }: Pick<Deps, 'db'>, req: Request, userId: string): Promise<void> => {
  const available = await findAvailableBytes(db, userId);
  if (available === undefined) return;
  const length = req.headers['content-length'];
  const fileBytes = Math.max(1, Number(length ?? 0) - besideFileBytes);
  if (fileBytes <= available) return;
  const atMostBytes = length === undefined ? Number.MAX_SAFE_INTEGER : Number(length);
  if (!(await hasOriginalOfSize(db, userId, fileBytes, atMostBytes))) throw new AppError('QUOTA_EXCEEDED');
};

/**
 * Reserves disk space for the body of a request, at most `atMostBytes`, before its first byte is read.
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
    // The count includes some bytes of headers: a few kilobytes more or less.
    received: () => req.socket.bytesRead - before,
  });
};
