import { expect, test } from 'vitest';
import { explainBest } from './explainBest.ts';

const photo = {
  favourite: false,
  description: undefined,
  width: 400,
  height: 300,
  sizeBytes: 1_000_000,
  mimeType: 'image/jpeg',
  mediaItemCategory: 'DEFAULT',
} as const;

test.each([
  ['motion', { mediaItemCategory: 'MOTION', width: 200 } as const, { favourite: true }],
  ['motion', { motionUrl: '/v1/files/motion' }, { mediaItemCategory: 'LIVE' } as const],
  ['raw', { mimeType: 'image/x-adobe-dng', width: 200 }, { description: 'At sea' }],
  ['pixels', { mimeType: 'image/x-adobe-dng', width: 800 }, { mediaItemCategory: 'MOTION' } as const],
  ['pixels', { width: 800, sizeBytes: 10 }, { favourite: true, description: 'At sea' }],
  ['sharper', { sizeBytes: 900_000 }, {}],
  ['sharper', { width: 399, sizeBytes: 900_000 }, {}],
  ['sharper', {}, { favourite: true }],
  ['size', { sizeBytes: 1_100_000 }, { favourite: true }],
  ['favourite', { favourite: true }, { description: 'At sea' }],
  ['description', { description: 'At sea' }, {}],
  [undefined, {}, {}],
])('explains the best item by %s', (why, best, second) => {
  expect(explainBest({ ...photo, ...best }, { ...photo, ...second })).toBe(why);
});

test('returns undefined without a second item', () => {
  expect(explainBest(photo, undefined)).toBeUndefined();
});
