import type { ModelFile } from '../models/model.ts';
import type { ModelName } from '../models/models.ts';
import { describeMissing, MissingModelError } from './missingModel.ts';
import { isPinnedFile, getModelFilePath } from './modelFile.ts';
import { getModelFiles, type ModelFiles, type ModelStore } from './modelStore.ts';

/**
 * Finds a model without fetching it. Verifies the checksum of every file, which takes less than a second, because a
 * disk may corrupt files and models are executed.
 * @throws MissingModelError
 */
export async function findModel(store: ModelStore, name: ModelName): Promise<ModelFiles> {
  const missing: ModelFile[] = [];
  for (const file of getModelFiles(store, name))
    if (!(await isPinnedFile(getModelFilePath(store.directory, name, file), file))) missing.push(file);
  if (missing.length > 0)
    throw new MissingModelError(
      describeMissing(
        store,
        name,
        missing.map((file) => ({ file })),
      ),
    );
  return { name, paths: getModelFiles(store, name).map((file) => getModelFilePath(store.directory, name, file)) };
}
