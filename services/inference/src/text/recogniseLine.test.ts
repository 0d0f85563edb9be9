import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCharacters } from './recogniseLine.ts';

/**
 * A model output with these most likely characters per step: 0 is the blank, 1 to 3 are a, b and the space after them.
 */
const makeOutput = (...best: readonly number[]) => ({
  data: Float32Array.from(best.flatMap((kind) => [0, 1, 2, 3].map((each) => (each === kind ? 0.7 : 0.1)))),
  dims: [1, best.length, 4],
});

const cases: readonly [steps: readonly number[], text: string][] = [
  [[1, 1, 2, 2, 2], 'ab'],
  [[1, 0, 1], 'aa'],
  [[0, 1, 3, 2, 0], 'a b'],
  [[0, 0], ''],
];

for (const [steps, text] of cases)
  test(`reads the steps ${steps.join(' ')} as “${text}”`, () => {
    const line = readCharacters(makeOutput(...steps), ['a', 'b']);
    assert.equal(line.text, text);
    assert.ok(Math.abs(line.confidence - (text === '' ? 0 : 0.7)) < 1e-6);
  });
