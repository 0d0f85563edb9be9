import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Skip reason of all tests that need test data. The summary of `npm test` groups tests by it. */
export const needsTestData = 'needs the test data (HEARTH_TEST_DATA)';

/** A part of the test data: photos and videos, model weights, or geographic data. */
export type TestDataPart = 'media' | 'models' | 'geo';

/** Returns the path of a part of the test data: in `HEARTH_TEST_DATA`, else in `shared` next to the checkout. It may not exist. */
export const getTestDataFolder = (part: TestDataPart): string =>
  // oxlint-disable-next-line node/no-process-env -- names the data of the tests, configures no process of ours
  join(process.env['HEARTH_TEST_DATA'] || join(import.meta.dirname, '../../../../../shared'), part);

/** Returns the reason to skip a test that needs a part of the test data (`{ skip: explainMissingTestData('media') }`), or false if it is available. */
export const explainMissingTestData = (part: TestDataPart): string | false =>
  existsSync(join(getTestDataFolder(part), 'MANIFEST.json')) ? false : needsTestData;
