import { expect, test } from 'vitest';
import type { FileIdentity } from '../plan/uploadFile.ts';
import { makeSavedMatcher } from './savedMatcher.ts';

const identity = (path: string, sizeBytes = 10, lastModified = 1) => ({ path, sizeBytes, lastModified });
const missing = [
  { id: 4, ...identity('Trip/a/IMG_1.jpg') },
  { id: 7, ...identity('Trip/b/IMG_1.jpg') },
  { id: 9, ...identity('Trip/IMG_2.jpg') },
];
const matchSaved = (known: typeof missing, found: readonly FileIdentity[]): (number | undefined)[] => {
  const matcher = makeSavedMatcher();
  matcher.add(known);
  return matcher.match(found);
};

test('matches the same folder file by file', () => {
  expect(matchSaved(missing, missing)).toEqual([4, 7, 9]);
});

test('prefers the file with the same path among files of the same name', () => {
  expect(matchSaved(missing, [identity('Trip/b/IMG_1.jpg')])).toEqual([7]);
});

test('matches files without paths by name, size and time, each once', () => {
  expect(matchSaved(missing, [identity('IMG_1.jpg'), identity('IMG_1.jpg'), identity('IMG_1.jpg')])).toEqual([
    4,
    7,
    undefined,
  ]);
});

test.each([
  ['another size', identity('Trip/IMG_2.jpg', 11)],
  ['another time', identity('Trip/IMG_2.jpg', 10, 2)],
  ['another name', identity('Trip/IMG_3.jpg')],
])('does not match a file with %s', (_, found) => {
  expect(matchSaved(missing, [found])).toEqual([undefined]);
});

test('matches a file once across batches', () => {
  const matcher = makeSavedMatcher();
  matcher.add(missing);
  expect(matcher.match([identity('Trip/b/IMG_1.jpg')])).toEqual([7]);
  expect(matcher.match([identity('Trip/b/IMG_1.jpg'), identity('Other/IMG_1.jpg')])).toEqual([4, undefined]);
});

test('prefers a match by path over one by name', () => {
  expect(matchSaved(missing, [identity('IMG_1.jpg'), identity('Trip/a/IMG_1.jpg')])).toEqual([7, 4]);
});
