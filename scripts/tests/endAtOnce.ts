/*
 * Imported by each process of tests. One that has nothing left to do ends without freeing its environment: where Node has lost count of what it closes
 * there, it turns its event loop at full speed for ever (https://github.com/nodejs/node/issues/47748), as one of some thousand test files did after all its
 * tests had passed. A process that has something left to do stays as before, and its file fails.
 */
process.once('beforeExit', () => process.once('exit', () => process.exit()));
