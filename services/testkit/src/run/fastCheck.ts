import fc from 'fast-check';
import { testSeed } from './testSeed.ts';

// Otherwise each property would have its own seed, and a run could not be repeated.
fc.configureGlobal({ seed: testSeed });

/** Returns a third of `all`, or `all` with `HEARTH_TEST_THOROUGH=1`, as in CI. Each test run has another seed. */
// oxlint-disable-next-line node/no-process-env -- it is for tests, which have no configuration
export const runs = (all: number): number => (process.env['HEARTH_TEST_THOROUGH'] === '1' ? all : Math.ceil(all / 3));

export { fc };
