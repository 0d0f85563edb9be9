import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the data folder of an embedded Hearth started on `directory`. */
export const getDataDirectory = (directory: string): string => join(directory, 'data');

/** Returns the folder of temporary files of an embedded Hearth started on `directory`. */
export const getTemporaryDirectory = (directory: string): string => join(directory, 'tmp');

/** Returns the paths of all files in the object store of this Hearth, relative to the store, including unfinished ones. */
export const listFiles = async (directory: string): Promise<string[]> => {
  const store = join(getDataDirectory(directory), 'objects');
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
    .toSorted();
};

/** Returns the names of temporary files. After a stop there must be none. */
export const findTemporaryFiles = (directory: string): Promise<string[]> =>
  listFolders([getTemporaryDirectory(directory), join(getDataDirectory(directory), 'scratch')]);

/** Returns the names of all entries in several folders. Missing folders count as empty. */
export const listFolders = async (folders: readonly string[]): Promise<string[]> =>
  (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat();
