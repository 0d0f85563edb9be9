import { suite } from 'node:test';
import { failingWriteCases } from './failingWriteCases.ts';
import { listingCases } from './listingCases.ts';
import { partsCases } from './partsCases.ts';
import { readingCases } from './readingCases.ts';
import { removingCases } from './removingCases.ts';
import type { MakeStore } from './testBytes.ts';
import { writingCases } from './writingCases.ts';

/**
 * The conformance suite: tests each sentence of `ObjectStore` that can be tested from outside, on any implementation.
 * Every test works on a store of its own that `makeStore` makes empty. What a crash or a power loss leaves is for the
 * implementation's own tests. `resourceCases` belongs to it too, and takes longer.
 */
export const objectsSuite = (name: string, makeStore: MakeStore): void => {
  suite(name, () => {
    writingCases(makeStore);
    failingWriteCases(makeStore);
    partsCases(makeStore);
    readingCases(makeStore);
    listingCases(makeStore);
    removingCases(makeStore);
  });
};
