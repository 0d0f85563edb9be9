import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Reason to skip all tests that need test data. The summary of `npm test` groups tests by this reason. */
export const needsTestData = 'needs the test data (HEARTH_TEST_DATA)';

/** A part of the test data: photos and videos, model weights, or geographic data. */
export type TestDataPart = 'media' | 'models' | 'geo';

/**
 * Returns the path of a part of the test data: in `HEARTH_TEST_DATA`, or by default in `shared` next to the checkout. It may
 * not exist.
 */
export const getTestDataFolder = (part: TestDataPart): string =>
  // oxlint-disable-next-line node/no-process-env -- not configuration of Hearth: names the data of the tests
  join(process.env['HEARTH_TEST_DATA'] || join(import.meta.dirname, '../../../../../shared'), part);

/**
 * Returns the reason to skip a test that needs a part of the test data (`{ skip: explainMissingTestData('media') }`), or
 * false if the part is available.
 */
export const explainMissingTestData = (part: TestDataPart): string | false =>
  existsSync(join(getTestDataFolder(part), 'MANIFEST.json')) ? false : needsTestData;
