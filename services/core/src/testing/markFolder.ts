import { join } from 'node:path';
import { takeOverStore } from '../backEnds/libraryMarker.ts';
import type { Database } from '../db/connection/database.ts';
import { openFolderStore } from '../objects/folderStore.ts';

/** Makes the store in a data folder that of a database whose items have no originals there, so that processes run on the two. */
export const markFolder = async (db: Database, dataDirectory: string): Promise<void> =>
  takeOverStore(await openFolderStore(join(dataDirectory, 'objects')), db);
