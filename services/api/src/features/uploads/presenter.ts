import { tusVersion } from '@hearth/contract/uploads.ts';
import type { UploadRow } from '@hearth/core/db/schema.ts';

/** How far an upload has come, as headers. */
export const presentUpload = ({ received_bytes, expires_at, media_item_id }: UploadRow) => ({
  'Tus-Resumable': tusVersion,
  'Upload-Offset': received_bytes,
  'Upload-Expires': expires_at.toUTCString(),
  'Hearth-Media-Item-Id': media_item_id ?? undefined,
});
