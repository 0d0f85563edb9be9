import { tmpdir } from 'node:os';

/**
 * Where tests keep databases and files that nothing else depends on: in memory where the test run has found plenty of it, which spares most of the
 * processor that making a database takes and all waiting for the disk, else with other temporary files. What is tested beside decoders is kept
 * on the disk, since they see nothing of memory, and so is what is about files.
 */
export const quickFolder = (): string =>
  // oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: the test runner hands its folder to the files
  process.env['HEARTH_TEST_QUICK_DIR'] || tmpdir();
