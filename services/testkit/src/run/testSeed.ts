/** Seed of random tests, from `HEARTH_TEST_SEED`, to repeat a run. Default: a random number below 2³¹. */
// oxlint-disable-next-line node/no-process-env -- it is for tests, which have no configuration
export const testSeed = Number(process.env['HEARTH_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
