import { closeAlbum, removeClosedAlbum } from '@hearth/api/features/albums/albumRemoval.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';

/** Deletes an album completely, like a request. */
export const deleteAlbum = async (db: Database, userId: string, id: string, batch?: number): Promise<void> => {
  await closeAlbum(db, userId, id);
  await removeClosedAlbum((work) => transaction(db, work), id, batch);
};
