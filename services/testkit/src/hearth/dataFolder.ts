import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where an embedded Hearth that was started on a folder keeps its data. */
export const dataDirectoryOf = (directory: string): string => join(directory, 'data');

/** The folder that it takes for temporary files. */
export const temporaryDirectoryOf = (directory: string): string => join(directory, 'tmp');

/** Every file in its object store by its path there, unfinished ones too. */
export const listFiles = async (directory: string): Promise<string[]> => {
  const store = join(dataDirectoryOf(directory), 'objects');
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
    .toSorted();
};

/** Temporary files that are there, by name; after a stop each is a fault. */
export const findTemporaryFiles = (directory: string): Promise<string[]> =>
  listFolders([temporaryDirectoryOf(directory), join(dataDirectoryOf(directory), 'scratch')]);

/** The names in several folders, of which any may not exist. */
export const listFolders = async (folders: readonly string[]): Promise<string[]> =>
  (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat();
