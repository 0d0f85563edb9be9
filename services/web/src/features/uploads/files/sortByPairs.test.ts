import { expect, test } from 'vitest';
import { sortByPairs } from './sortByPairs.ts';
import { isForeignFile } from './foundFile.ts';

const ordered = (...names: readonly string[]): string[] =>
  sortByPairs(names.map((name) => ({ name }))).map(({ name }) => name);

test('puts both files of a Live Photo together, the photo first', () => {
  expect(ordered('IMG_2.MOV', 'IMG_1.MOV', 'IMG_3.JPG', 'IMG_2.HEIC', 'IMG_1.HEIC')).toEqual([
    'IMG_1.HEIC',
    'IMG_1.MOV',
    'IMG_2.HEIC',
    'IMG_2.MOV',
    'IMG_3.JPG',
  ]);
});

test('ignores case', () => {
  expect(ordered('img_1.mov', 'IMG_10.JPG', 'IMG_1.heic')).toEqual(['IMG_1.heic', 'img_1.mov', 'IMG_10.JPG']);
});

test.each([
  ['Takeout/IMG_1.jpg.json', true],
  ['Trip/IMG_1.AAE', true],
  ['Trip/IMG_1.jpg', false],
  ['Trip.json/IMG_1', false],
  ['IMG_1', false],
])('detects %s as a non-photo by its extension: %s', (path, expected) => {
  expect(isForeignFile(path)).toBe(expected);
});
