import { tmpdir } from 'node:os';

/**
 * Returns the folder for databases and files of tests. It is in memory if the test run has found enough, which saves most of the CPU time of creating
 * a database and all waiting for the disk. Otherwise it is the folder for temporary files. Tests of decoders and of files use the disk, because
 * decoders cannot see the folder in memory.
 */
export const getFastFolder = (): string =>
  // oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: the test runner hands its folder to the files
  process.env['HEARTH_TEST_QUICK_DIR'] || tmpdir();
