import { tmpdir } from 'node:os';

/**
 * The folder for databases and files of tests. It is in memory where the test run has found plenty, which saves most of the processor time of
 * making a database and all waiting for the disk; else it is the folder for temporary files. Tests of decoders and of files keep their files on the
 * disk, since decoders do not see the folder in memory.
 */
export const quickFolder = (): string =>
  // oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: the test runner hands its folder to the files
  process.env['HEARTH_TEST_QUICK_DIR'] || tmpdir();
