import fc from 'fast-check';
import { testSeed } from './testSeed.ts';

// Otherwise each property would have a seed of its own, and no run could be repeated as a whole.
fc.configureGlobal({ seed: testSeed });

export { fc };
