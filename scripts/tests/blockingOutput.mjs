// Loaded into each test process. `--test-force-exit` ends it while results may still wait in the buffer of its output, which would lose them.
// oxlint-disable-next-line no-underscore-dangle -- Node has no public function that makes a pipe blocking
process.stdout._handle?.setBlocking?.(true);
