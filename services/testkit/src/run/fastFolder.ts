import { tmpdir } from 'node:os';

/**
 * Returns the folder for databases and files of tests. It is in memory if the test run found enough memory. This saves most
 * of the CPU time of creating a database, and all waiting for the disk. Otherwise it is the folder for temporary files.
 * Tests of decoders and of files use the disk, because decoders cannot see the folder in memory.
 */
export const getFastFolder = (): string =>
  // oxlint-disable-next-line node/no-process-env -- not configuration of Hearth: the test runner passes its folder to the test files
  process.env['HEARTH_TEST_QUICK_DIR'] || tmpdir();
