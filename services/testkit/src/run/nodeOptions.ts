/**
 * Node options for processes of tests, which live for seconds.
 * - A fixed young generation, which saves up to a sixth of the CPU time of a test file with thousands of API calls.
 * - V8 without its own threads: a process that exits while such a thread compiles may hang forever, if the thread waits for a garbage collection that
 *   the main thread no longer runs (https://github.com/nodejs/node/issues/54918). It happened to one of about a hundred test files, after all its
 *   tests had passed. It costs nothing when every core is busy.
 * Programs that run like `npm start` do not get these options.
 */
export const testNodeOptions: readonly string[] = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--single-threaded',
];
