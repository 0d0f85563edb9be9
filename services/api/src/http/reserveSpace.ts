import type { Request } from 'express';
import { findRoom } from '@hearth/core/db/accounts/quotas.ts';
import type { SpaceReservation } from '@hearth/core/disk/diskSpace.ts';
import { AppError } from '@hearth/core/errors.ts';
import type { Deps } from '../deps/deps.ts';

/** Bytes of a multipart body besides those of its file, at most: names and the other parts. */
const besideFileBytes = 64 * 1024;

/**
 * Refuses a body that cannot fit an account's quota, before a byte of it is taken. A body that is let through may still exceed the quota because
 * of other uploads: that is decided when all of it has come.
 * @throws AppError QUOTA_EXCEEDED
 */
export const refuseOverQuota = async ({ db }: Pick<Deps, 'db'>, req: Request, userId: string): Promise<void> => {
  const room = await findRoom(db, userId);
  if (room === undefined) return;
  const fileBytes = Math.max(1, Number(req.headers['content-length'] ?? 0) - besideFileBytes);
  if (fileBytes > room) throw new AppError('QUOTA_EXCEEDED');
};

/**
 * Reserves disk space for the body of a request, of which at most `atMostBytes` are taken, before a byte of it is.
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
    // With those of the headers, of which some have been read already: a few kilobytes either way.
    received: () => req.socket.bytesRead - before,
  });
};
