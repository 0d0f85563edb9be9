import { expect, test } from 'vitest';
import { whyBest } from './whyBest.ts';

const photo = { favourite: false, description: undefined, width: 400, height: 300, sizeBytes: 1_000_000 };

test.each([
  ['favourite', { favourite: true }, { width: 800 }],
  ['description', { description: 'At sea' }, { width: 800 }],
  ['pixels', { width: 800, sizeBytes: 10 }, {}],
  ['sharper', { sizeBytes: 900_000 }, {}],
  ['size', { sizeBytes: 1_100_000 }, {}],
  ['sharper', { width: 399, sizeBytes: 900_000 }, {}],
  [undefined, {}, {}],
])('%s', (why, best, second) => {
  expect(whyBest({ ...photo, ...best }, { ...photo, ...second })).toBe(why);
});

test('of one that is left alone nothing is said', () => {
  expect(whyBest(photo, undefined)).toBeUndefined();
});
