import { join } from 'node:path';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { openFolderStore } from '@hearth/core/objects/folder/folderStore.ts';

/** Writes a database's library marker into the store of a data folder, so that processes start without the originals. */
export const markFolder = async (db: Database, dataDirectory: string): Promise<void> =>
  takeOverStore(await openFolderStore(join(dataDirectory, 'objects')), db);
