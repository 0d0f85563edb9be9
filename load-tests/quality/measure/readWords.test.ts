import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWords } from './readWords.ts';

test('words are found whatever spaces, accents and case they were read with', () => {
  assert.deepEqual(readWords(['Craft', 'BEER', 'Café', 'été'], ['craftbeer cafe', 'É t é']), [0, 0, 0, 1]);
});

test('what was read counts once', () => {
  assert.deepEqual(readWords(['beer', 'beer'], ['beer']), [0, -1]);
  assert.deepEqual(readWords(['art', 'party'], ['party']), [-1, 0]);
});

test('Chinese is taken sign by sign', () => {
  assert.deepEqual(readWords(Array.from('护发素'), ['护发']), [0, 0, -1]);
});
