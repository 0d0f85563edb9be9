import fc from 'fast-check';
import { testSeed } from './testSeed.ts';

// Otherwise each property would have a seed of its own, and no run could be repeated as a whole.
fc.configureGlobal({ seed: testSeed });

/** Returns a third of `all`, or `all` with `HEARTH_TEST_THOROUGH=1`, as in CI. Each run of the tests has another seed. */
// oxlint-disable-next-line node/no-process-env -- it is for tests, which have no configuration
export const runs = (all: number): number => (process.env['HEARTH_TEST_THOROUGH'] === '1' ? all : Math.ceil(all / 3));

export { fc };
