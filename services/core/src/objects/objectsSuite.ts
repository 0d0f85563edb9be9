import { suite } from 'node:test';
import { failingWriteCases } from './suite/failingWriteCases.ts';
import { listingCases } from './suite/listingCases.ts';
import { partsCases } from './suite/partsCases.ts';
import { readingCases } from './suite/readingCases.ts';
import { removingCases } from './suite/removingCases.ts';
import { resourceCases } from './suite/resourceCases.ts';
import type { MakeStore } from './suite/testBytes.ts';
import { writingCases } from './suite/writingCases.ts';

/**
 * The conformance suite: tests each sentence of `ObjectStore` that can be tested from outside, on any implementation.
 * Every test works on a store of its own that `makeStore` makes empty. What a crash or a power loss leaves is for the
 * implementation's own tests.
 */
export const objectsSuite = (name: string, makeStore: MakeStore): void => {
  suite(name, () => {
    writingCases(makeStore);
    failingWriteCases(makeStore);
    partsCases(makeStore);
    readingCases(makeStore);
    listingCases(makeStore);
    removingCases(makeStore);
    resourceCases(makeStore);
  });
};
