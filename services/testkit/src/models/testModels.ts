import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lacksTestData, testDataFolder } from '../run/testData.ts';
import { notRequired } from '../run/tools.ts';
import type { InferenceSettings } from '@hearth/inference/process/inferenceProtocol.ts';
import type { ModelStore } from '@hearth/inference/store/modelStore.ts';
import { openToyStore } from './toy/toyStore.ts';

/** Reason to skip tests that need the real models, or false. */
export const lacksModels = lacksTestData('models');

/** Small models that see colours, see [Note: Toy models]. */
export const toyStore: ModelStore = openToyStore();

/** The models of the test data, or the toy models if they are missing. */
export const testStore: ModelStore = lacksModels
  ? toyStore
  : { directory: testDataFolder('models'), mirror: undefined, isOffline: true };

/** Skip reason of tests of models that are too large for the test data. */
export const needsGivenModels = `needs weights that the test data does not have: HEARTH_MODEL_DIR ${notRequired}`;

/** The models of whoever has more of them. */
export const givenModels: ModelStore = {
  // oxlint-disable-next-line node/no-process-env -- likewise
  directory: process.env['HEARTH_MODEL_DIR'] || testStore.directory,
  mirror: undefined,
  isOffline: true,
};

/** How tests run them: searched by the stand-in, which is the one that is there. */
export const testSettings: InferenceSettings = {
  store: testStore,
  threads: 1,
  provider: 'cpu',
  searchModel: 'concept-lite',
};

/** The path of a file of the test media by its name in their manifest. */
export const mediaPath = (name: string): string => join(testDataFolder('media'), name);

/** The paths of the pictures of some folders of the test media, in the order of their names. */
export const listPictures = (...kinds: readonly string[]): string[] =>
  kinds.flatMap((kind) => {
    const folder = mediaPath(kind);
    return readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name));
  });
