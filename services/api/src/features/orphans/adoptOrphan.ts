import { fileTypeFromBuffer } from 'file-type';
import { buffer } from 'node:stream/consumers';
import { transaction } from '@hearth/core/db/database.ts';
import { releaseOrphans } from './queries.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { ingestUpload } from '../uploads/ingestUpload.ts';
import { headBytes } from '../uploads/mediaKind.ts';
import type { IngestDeps, Inserted } from '../uploads/insertMediaItem.ts';
import type { FoundOrphan } from './findOrphans.ts';

/**
 * Takes an original without a row into the library of a user, by the way of every upload: it is read anew, gets an id of its own, and where
 * the user has these bytes already, that item is answered. The orphan goes once its copy has a row, so that a crash in between leaves it
 * to be adopted again. Its uploader's data are lost: its name is made from the time of upload, which is also its date
 * if the file has none.
 *
 * A new id, since under its old one the sweep may be removing renditions, and an upload that was held up may be about to write a row.
 * @throws AppError NOT_MEDIA, and UNAUTHORIZED where there is no such user
 */
export const adoptOrphan = async (
  deps: IngestDeps,
  orphan: FoundOrphan,
  userId: string,
  signal: AbortSignal,
): Promise<Inserted> => {
  const key = originalKey(orphan.userId, orphan.mediaItemId);
  const adopted = await ingestUpload(deps, {
    userId,
    requestId: undefined,
    filename: await nameOf(deps, orphan),
    description: undefined,
    creationTime: { takenAt: uploadTimeOf(orphan), utcOffsetMinutes: undefined },
    body: await deps.objects.open(key),
    signal,
    received: Promise.resolve(),
  });
  const released = await transaction(deps.db, (trx) => releaseOrphans(trx, [orphan.mediaItemId]));
  if (released.length > 0) await deps.objects.remove([key]);
  return adopted;
};

/** The ids of items begin with the time at which they were made (UUID version 7); an object that was copied has another one. */
const uploadTimeOf = ({ mediaItemId, storedAt }: FoundOrphan): Date =>
  mediaItemId[14] === '7' ? new Date(Number.parseInt(mediaItemId.replace('-', '').slice(0, 12), 16)) : storedAt;

/** `recovered-20261120-101112.jpg`. */
const nameOf = async ({ objects }: Pick<IngestDeps, 'objects'>, orphan: FoundOrphan): Promise<string> => {
  const time = uploadTimeOf(orphan).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const range = { first: 0, last: Math.min(orphan.sizeBytes, headBytes) - 1 };
  const head = await buffer(await objects.open(originalKey(orphan.userId, orphan.mediaItemId), range));
  const extension = (await fileTypeFromBuffer(head))?.ext;
  return `recovered-${time}${extension === undefined ? '' : `.${extension}`}`;
};
