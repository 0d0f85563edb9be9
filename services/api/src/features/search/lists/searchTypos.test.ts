import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countEdits } from './searchTypos.ts';

const letters = ['a', 'b', 'c'];

/** All words of up to `length` letters. */
const wordsUpTo = (length: number): string[] =>
  length === 0 ? [''] : ['', ...wordsUpTo(length - 1).flatMap((word) => letters.map((letter) => word + letter))];

/** What one edit makes of a word. */
const editsOf = (word: string): string[] =>
  Array.from({ length: word.length + 1 }, (_, at) => {
    const [before, rest] = [word.slice(0, at), word.slice(at)];
    const [one = '', two = ''] = rest;
    const others = letters.flatMap((letter) => [before + letter + rest, before + letter + rest.slice(1)]);
    return [...others, before + rest.slice(1), before + two + one + rest.slice(2)];
  }).flat();

/** How many edits lead from a word to each that is at most `longest` letters long. */
const distancesFrom = (word: string, longest: number): Map<string, number> => {
  const distances = new Map([[word, 0]]);
  // A map is walked to what is added on the way.
  for (const [reached, edits] of distances) {
    for (const next of editsOf(reached)) {
      if (next.length <= longest && !distances.has(next)) distances.set(next, edits + 1);
    }
  }
  return distances;
};

test('the number of edits between two words is the fewest that lead from one to the other', () => {
  const words = [...new Set(wordsUpTo(3))];
  for (const from of words) {
    const distances = distancesFrom(from, 4);
    for (const to of words) assert.equal(countEdits(from, to), distances.get(to), `${from} to ${to}`);
  }
});

test('a letter within two that are swapped is one edit more', () => {
  assert.equal(countEdits('birthday', 'ibrthday'), 1);
  assert.equal(countEdits('birthday', 'iabrthday'), 2);
});
