import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolderStore } from '@hearth/core/objects/folder/folderStore.ts';
import { getFastFolder } from '../run/fastFolder.ts';
import type { TestStore } from './testBytes.ts';

/** A folder store for one test. `root` is its folder, `outside` an empty folder next to it. */
export interface TestFolder extends TestStore {
  readonly root: string;
  readonly outside: string;
}

export const makeFolder = async (parent = getFastFolder()): Promise<TestFolder> => {
  const directory = await mkdtemp(join(parent, 'hearth-objects-'));
  const [root, outside] = [join(directory, 'objects', 'deep'), join(directory, 'outside')];
  await mkdir(outside);
  const store = await openFolderStore(root);
  await store.claim();
  return {
    root,
    outside,
    store,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
};
