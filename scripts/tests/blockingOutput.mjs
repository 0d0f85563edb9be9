// Loaded into each test process. Otherwise `--test-force-exit` would lose results that are still in the output buffer.
// oxlint-disable-next-line no-underscore-dangle -- Node has no public function that makes a pipe blocking
process.stdout._handle?.setBlocking?.(true);
