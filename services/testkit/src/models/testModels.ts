import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainMissingTestData, getTestDataFolder } from '../run/testData.ts';
import { notRequired } from '../run/tools.ts';
import type { InferenceSettings } from '@hearth/inference/process/inferenceProtocol.ts';
import type { ModelStore } from '@hearth/inference/store/modelStore.ts';
import { openToyStore } from './toy/toyStore.ts';

/** Reason to skip tests that need the real models, or false. */
export const lacksModels = explainMissingTestData('models');

/** Small models that detect colours, see [Note: Toy models]. */
export const toyStore: ModelStore = openToyStore();

/** The models of the test data, or the toy models if they are missing. */
export const testStore: ModelStore = lacksModels
  ? toyStore
  : { directory: getTestDataFolder('models'), mirror: undefined, isOffline: true };

/** Reason to skip tests of models that are too large for the test data. */
export const needsGivenModels = `needs weights that the test data does not have: HEARTH_MODEL_DIR ${notRequired}`;

/** Models in a folder that the developer provides. */
export const givenModels: ModelStore = {
  // oxlint-disable-next-line node/no-process-env -- not configuration of Hearth: only tests use it
  directory: process.env['HEARTH_MODEL_DIR'] || testStore.directory,
  mirror: undefined,
  isOffline: true,
};

/** Settings for tests, with the stand-in search model, which the test data contains. */
export const testSettings: InferenceSettings = {
  store: testStore,
  threads: 1,
  provider: 'cpu',
  searchModel: 'concept-lite',
};

/** Returns the path of a test media file by its name in the manifest. */
export const mediaPath = (name: string): string => join(getTestDataFolder('media'), name);

/** Returns the paths of the pictures in folders of the test media, sorted by name. */
export const listPictures = (...kinds: readonly string[]): string[] =>
  kinds.flatMap((kind) => {
    const folder = mediaPath(kind);
    return readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name));
  });
