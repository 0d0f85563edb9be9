import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DataDirectoryInUseError,
  lockDataDirectory,
  type DataDirectoryLock,
} from '@hearth/core/disk/dataDirectoryLock.ts';
import type { ModelName } from '../models/models.ts';
import { fetchModelFile, type FetchProgress } from './fetchModelFile.ts';
import { findModel } from './findModel.ts';
import { describeMissing, MissingModelError, type MissingFile } from './missingModel.ts';
import { isPinnedFile, getModelFilePath } from './modelFile.ts';
import { getModelFiles, type ModelFiles, type ModelStore } from './modelStore.ts';

/** Interval of checking whether another process has finished fetching, in ms. */
const retryMs = 250;

/**
 * Finds a model after fetching its missing files. Only one process fetches at a time; others wait. Resumes partial
 * downloads, also those of other processes and after a crash.
 * @throws MissingModelError with the problems
 */
export async function obtainModel(
  store: ModelStore,
  name: ModelName,
  onProgress: (progress: FetchProgress) => void = () => undefined,
): Promise<ModelFiles> {
  const present = await findModel(store, name).catch(missingToUndefined);
  if (present !== undefined) return present;
  await mkdir(store.directory, { recursive: true, mode: 0o700 });
  const lock = await waitForLock(store.directory);
  try {
    const missing: MissingFile[] = [];
    for (const file of getModelFiles(store, name)) {
      if (await isPinnedFile(getModelFilePath(store.directory, name, file), file)) continue;
      const problems = await fetchModelFile(store, name, file, onProgress);
      if (problems !== undefined) missing.push({ file, problems });
    }
    if (missing.length > 0) throw new MissingModelError(describeMissing(store, name, missing));
  } finally {
    lock.release();
  }
  return findModel(store, name);
}

const missingToUndefined = (error: unknown): undefined => {
  if (!(error instanceof MissingModelError)) throw error;
};

const waitForLock = async (directory: string): Promise<DataDirectoryLock> => {
  for (;;) {
    try {
      return lockDataDirectory(directory);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError)) throw error;
      await delay(retryMs);
    }
  }
};
