/** What random tests depend on: `HEARTH_TEST_SEED` repeats those of another run; otherwise it is a random number below 2³¹. */
// oxlint-disable-next-line node/no-process-env -- it is for tests, which have no configuration
export const testSeed = Number(process.env['HEARTH_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
