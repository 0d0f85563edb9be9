import { suite } from 'node:test';
import { failingWriteCases } from './failingWriteCases.ts';
import { listingCases } from './listingCases.ts';
import { partsCases } from './partsCases.ts';
import { readingCases } from './readingCases.ts';
import { removingCases } from './removingCases.ts';
import type { MakeStore } from './testBytes.ts';
import { writingCases } from './writingCases.ts';

/**
 * Conformance suite of `ObjectStore`: tests its documented behaviour on any implementation. `makeStore` makes a new empty
 * store for each test. Implementations test the state after a crash or power loss themselves. `resourceCases` is a slower
 * part of the suite.
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
