import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { countUploadGap } from './uploadGap.ts';

/** Converts a drawing to positions of missing originals, in upload order: `-` is stored, `x` is missing. */
const missingIn = (drawing: string): number[] => Array.from(drawing.matchAll(/x/g), ({ index }) => index);

for (const [reason, drawing, count] of [
  ['nothing is missing', '-'.repeat(40), 0],
  ['all are missing', 'x'.repeat(40), 0],
  ['the newest are missing', `${'-'.repeat(10)}${'x'.repeat(30)}`, 30],
  ['newer uploads follow the missing ones', `${'-'.repeat(10)}${'x'.repeat(30)}${'-'.repeat(60)}`, 30],
  ['the oldest are missing', `${'x'.repeat(30)}${'-'.repeat(60)}`, 0],
  ['only two are stored before the missing ones', `--${'x'.repeat(30)}---`, 0],
  ['one older original is missing, too', `--x-----${'x'.repeat(30)}--`, 30],
  ['too many are missing before them', `--x-x--${'x'.repeat(30)}--`, 0],
  ['a few have been uploaded again', `-----${'x'.repeat(15)}--${'x'.repeat(15)}--`, 30],
  ['many have been uploaded again', `-----${'x-'.repeat(30)}--`, 0],
  ['there are two gaps', `-----${'x'.repeat(30)}${'-'.repeat(30)}${'x'.repeat(30)}`, 0],
  ['too few are missing', '---------xxxx', 0],
] as const) {
  test(`the upload gap has ${count} originals if ${reason}`, () =>
    assert.equal(countUploadGap(missingIn(drawing)), count));
}

test('originals missing at random are not an upload gap', () => {
  const random = createRandom(1);
  for (let round = 0; round < 10_000; round += 1) {
    const share = random.fraction();
    const missing = Array.from({ length: 100 }, (_, index) => index).filter(() => random.chance(share));
    assert.equal(countUploadGap(missing), 0, `${share}`);
  }
});
