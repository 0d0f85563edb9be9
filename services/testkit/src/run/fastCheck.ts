import fc from 'fast-check';
import { testSeed } from './testSeed.ts';

// One seed for all properties, so that a run can be repeated.
fc.configureGlobal({ seed: testSeed });

/** Returns a third of `all` runs, or all of them with `HEARTH_TEST_THOROUGH=1`, as in CI. Each test run has another seed. */
// oxlint-disable-next-line node/no-process-env -- it is for tests, which have no configuration
export const runs = (all: number): number => (process.env['HEARTH_TEST_THOROUGH'] === '1' ? all : Math.ceil(all / 3));

export { fc };
