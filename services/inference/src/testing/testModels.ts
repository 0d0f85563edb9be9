import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lacksTestData, testDataFolder } from '@hearth/core/testing/testData.ts';
import type { InferenceSettings } from '../process/inferenceProtocol.ts';
import type { ModelStore } from '../store/modelStore.ts';

/** The models of the test data, which lie there as in a store. */
export const testStore: ModelStore = { directory: testDataFolder('models'), mirror: undefined, isOffline: true };

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

/** Why tests that run models have to be skipped; false where the test data are there. */
export const lacksModels = lacksTestData('models');

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
