import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countEdits } from './searchTypos.ts';

const letters = ['a', 'b', 'c'];

/** All words of up to `length` letters. */
const wordsUpTo = (length: number): string[] =>
  length === 0 ? [''] : ['', ...wordsUpTo(length - 1).flatMap((word) => letters.map((letter) => word + letter))];

/** All results of one edit of a word. */
const editsOf = (word: string): string[] =>
  Array.from({ length: word.length + 1 }, (_, at) => {
    const [before, rest] = [word.slice(0, at), word.slice(at)];
    const [one = '', two = ''] = rest;
    const others = letters.flatMap((letter) => [before + letter + rest, before + letter + rest.slice(1)]);
    return [...others, before + rest.slice(1), before + two + one + rest.slice(2)];
  }).flat();

/** Edit distances from a word to all words of up to `longest` letters. */
const distancesFrom = (word: string, longest: number): Map<string, number> => {
  const distances = new Map([[word, 0]]);
  // Iterating over a map includes entries added meanwhile.
  for (const [reached, edits] of distances) {
    for (const next of editsOf(reached)) {
      if (next.length <= longest && !distances.has(next)) distances.set(next, edits + 1);
    }
  }
  return distances;
};

test('the edit distance is the shortest path between two words', () => {
  const words = [...new Set(wordsUpTo(3))];
  for (const from of words) {
    const distances = distancesFrom(from, 4);
    for (const to of words) assert.equal(countEdits(from, to), distances.get(to), `${from} to ${to}`);
  }
});

test('an insertion between two swapped letters is one more edit', () => {
  assert.equal(countEdits('birthday', 'ibrthday'), 1);
  assert.equal(countEdits('birthday', 'iabrthday'), 2);
});
