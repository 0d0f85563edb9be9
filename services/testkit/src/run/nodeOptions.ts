/**
 * Node options for processes of tests, which live for seconds.
 * - A fixed young generation saves up to a sixth of the CPU time of a test file with thousands of API calls.
 * - V8 runs without its own threads. Otherwise a process that exits while such a thread compiles may hang forever: the
 *   thread waits for a garbage collection that the main thread no longer runs (nodejs/node#54918). This happened to about
 *   one in a hundred test files, after all its tests had passed. The option costs nothing when every core is busy.
 * Programs that run like `npm start` do not get these options.
 */
export const testNodeOptions: readonly string[] = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--single-threaded',
];
