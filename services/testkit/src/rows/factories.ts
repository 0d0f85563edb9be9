import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '@hearth/core/db/database.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { insertMediaItem } from '@hearth/api/ingest/insertMediaItem.ts';
import type { MediaItemRow, NewMediaItem } from '@hearth/core/db/schema.ts';
import { insertUser, type User, type UserValues } from '@hearth/api/accounts/users.ts';

/** Creates an account with unique default values. */
export const buildUser = async (db: Database, values: Partial<UserValues> = {}): Promise<User> => {
  const username = `user-${randomUUID()}`;
  return insertUser(db, { name: 'Robin', username, passwordHash: 'none', features: {}, ...values });
};

/** Creates an item with its runs, like an upload, with default values and a unique checksum. */
export const buildMediaItem = async (
  db: Database,
  userId: string,
  values: Partial<NewMediaItem> = {},
): Promise<MediaItemRow> => {
  const { id } = await insertMediaItem(db, newMediaItem(userId, values));
  return getMediaItem(db, userId, id);
};

/** Returns the values of an item, without inserting it. */
export const newMediaItem = (userId: string, values: Partial<NewMediaItem> = {}): NewMediaItem => ({
  id: randomUUID(),
  user_id: userId,
  checksum: randomBytes(32),
  filename: 'IMG_0001.jpg',
  mime_type: 'image/jpeg',
  size_bytes: 3_000_000,
  type: 'PHOTO',
  taken_at: new Date('2022-04-03T07:26:11Z'),
  local_time: '2022-04-03T12:56:11',
  ...values,
});
