import { fileTypeFromBuffer } from 'file-type';
import { buffer } from 'node:stream/consumers';
import { transaction } from '@hearth/core/db/database.ts';
import { releaseOrphans } from './queries.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { ingestUpload } from '../../ingest/ingestUpload.ts';
import { headBytes } from '../../ingest/mediaKind.ts';
import type { IngestDeps, Inserted } from '../../ingest/insertMediaItem.ts';
import type { FoundOrphan } from './findOrphans.ts';

/**
 * Adopts an original without a row into a user's library, like an upload: reads it and assigns a new id. Returns the
 * existing item if the user already has these bytes. Deletes the orphan after its copy has a row, so that a crash in
 * between allows another attempt. The uploader's metadata is lost: the filename is derived from the upload time, which
 * is also the date if the file has none.
 *
 * Assigns a new id because the sweep may be deleting renditions under the old one, and a delayed upload may be about to
 * insert its row.
 * @throws AppError NOT_MEDIA, or UNAUTHORIZED if the user does not exist
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
    filename: await createFilename(deps, orphan),
    description: undefined,
    creationTime: { takenAt: getUploadTime(orphan), utcOffsetMinutes: undefined },
    body: await deps.objects.open(key),
    signal,
    received: Promise.resolve(),
  });
  const released = await transaction(deps.db, (trx) => releaseOrphans(trx, [orphan.mediaItemId]));
  if (released.length > 0) await deps.objects.remove([key]);
  return adopted;
};

/** Item ids start with their creation time (UUID version 7). The object's own time changes when it is copied. */
const getUploadTime = ({ mediaItemId, storedAt }: FoundOrphan): Date =>
  mediaItemId[14] === '7' ? new Date(Number.parseInt(mediaItemId.replace('-', '').slice(0, 12), 16)) : storedAt;

/** Builds a name such as `recovered-20261120-101112.jpg`. */
const createFilename = async ({ objects }: Pick<IngestDeps, 'objects'>, orphan: FoundOrphan): Promise<string> => {
  const time = getUploadTime(orphan).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const range = { first: 0, last: Math.min(orphan.sizeBytes, headBytes) - 1 };
  const head = await buffer(await objects.open(originalKey(orphan.userId, orphan.mediaItemId), range));
  const extension = (await fileTypeFromBuffer(head))?.ext;
  return `recovered-${time}${extension === undefined ? '' : `.${extension}`}`;
};
