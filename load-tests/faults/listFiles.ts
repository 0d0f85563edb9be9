import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectoryOf } from './hearth.ts';

/** Every file in the object store of an embedded Hearth by its path there, unfinished ones too. */
export const listFiles = async (directory: string): Promise<string[]> => {
  const store = join(dataDirectoryOf(directory), 'objects');
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
    .toSorted();
};
