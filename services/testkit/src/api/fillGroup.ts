import { randomUUID } from 'node:crypto';
import type { Database } from '@hearth/core/db/database.ts';

/** Adds photos to a group of duplicates by SQL. */
export const fillGroup = async (db: Database, userId: string, groupId: string, count: number): Promise<void> => {
  const photos = Array.from({ length: count }, () => randomUUID());
  await db
    .insertInto('media_items')
    .values(
      photos.map((id) => ({
        id,
        user_id: userId,
        checksum: Buffer.from(id.replaceAll('-', '').repeat(2), 'hex'),
        filename: 'IMG.jpg',
        mime_type: 'image/jpeg',
        size_bytes: 1_000,
        type: 'PHOTO' as const,
        taken_at: new Date(),
        local_time: '2022-04-03T12:56:11',
      })),
    )
    .execute();
  for (let from = 0; from < count; from += 500)
    await db
      .insertInto('picture_hashes')
      .values(
        photos.slice(from, from + 500).map((id) => ({
          media_item_id: id,
          user_id: userId,
          hash: 1,
          sharpness: 0.1,
          group_id: groupId,
          is_centre: false,
          visibility: 'visible' as const,
          score: 1,
        })),
      )
      .execute();
};
