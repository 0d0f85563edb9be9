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

test('the same folder again matches file by file', () => {
  expect(matchSaved(missing, missing)).toEqual([4, 7, 9]);
});

test('of files with the same name the one with the same path matches', () => {
  expect(matchSaved(missing, [identity('Trip/b/IMG_1.jpg')])).toEqual([7]);
});

test('files without their folder match by name, size and time, each once', () => {
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
])('a file with %s is a new one', (_, found) => {
  expect(matchSaved(missing, [found])).toEqual([undefined]);
});

test('a file is matched once, however many batches it is asked for in', () => {
  const matcher = makeSavedMatcher();
  matcher.add(missing);
  expect(matcher.match([identity('Trip/b/IMG_1.jpg')])).toEqual([7]);
  expect(matcher.match([identity('Trip/b/IMG_1.jpg'), identity('Other/IMG_1.jpg')])).toEqual([4, undefined]);
});

test('a file with the same path goes before one that has only the same name', () => {
  expect(matchSaved(missing, [identity('IMG_1.jpg'), identity('Trip/a/IMG_1.jpg')])).toEqual([7, 4]);
});
