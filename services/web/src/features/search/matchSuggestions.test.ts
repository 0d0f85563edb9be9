import { expect, test } from 'vitest';
import { matchSuggestions } from './matchSuggestions.ts';
import type { Suggestion } from './useSuggestions.ts';

const suggestion = (name: string): Suggestion => ({ kind: 'place', id: name, name });
const names = (typed: string, ...known: readonly string[]): readonly string[] =>
  matchSuggestions(
    typed,
    known.map((name) => suggestion(name)),
  ).map(({ name }) => name);

test('accents and case do not matter', () => {
  expect(names('zur', 'Zürich', 'Rome')).toEqual(['Zürich']);
  expect(names('Ö', 'Osaka', 'Örebro')).toEqual(['Örebro', 'Osaka']);
});

test('names that begin so come before those of which a later word does', () => {
  expect(names('york', 'New York', 'York')).toEqual(['York', 'New York']);
});

test('the middle of a word is not suggested', () => {
  expect(names('ome', 'Rome')).toEqual([]);
});

test('nothing is suggested while nothing is typed', () => {
  expect(names('  ', 'Rome')).toEqual([]);
});

test('no more than eight are shown', () => {
  expect(names('a', ...Array.from({ length: 20 }, (_, index) => `a${index}`))).toHaveLength(8);
});
