import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWords } from './readWords.ts';

test('ignores spaces, accents and case', () => {
  assert.deepEqual(compareWords(['Craft', 'BEER', 'Café', 'été'], ['craftbeer cafe', 'É t é']), [0, 0, 0, 1]);
});

test('counts each piece of text once', () => {
  assert.deepEqual(compareWords(['beer', 'beer'], ['beer']), [0, -1]);
  assert.deepEqual(compareWords(['art', 'party'], ['party']), [-1, 0]);
});

test('matches Chinese by character', () => {
  assert.deepEqual(compareWords(Array.from('护发素'), ['护发']), [0, 0, -1]);
});
