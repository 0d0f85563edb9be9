import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { openSessions } from '../process/sessions.ts';
import { lacksModels, mediaPath, testSettings } from '@hearth/testkit/models/testModels.ts';
import { textCheckSides, mayShowText } from './mayShowText.ts';

suite('detection of possible text in the test media', { skip: lacksModels }, () => {
  const cases: readonly [path: string, may: boolean][] = [
    ['text/n06794110_street_sign.JPEG', true],
    ['text/craft-beer.jpg', true],
    ['text/french_0.jpg', true],
    ['text/cn_product.jpg', true],
    ['screenshot/Screenshot_2024-06-01-10-20-30.png', true],
    ['things/cat_black.jpg', false],
    ['things/elephants.jpg', false],
    ['faces/girl_blond1.jpg', false],
  ];
  for (const [path, may] of cases)
    test(`finds ${may ? 'possible' : 'no'} text in ${path}`, async () => {
      const { run } = await openSessions(testSettings);
      const sizes = await Promise.all(textCheckSides.map((side) => readTestPixels(mediaPath(path), side)));
      assert.equal(await mayShowText(run, sizes), may);
    });
});

/** Returns the width and height of the model's input for these sizes. */
const getInputSize = async (...sizes: readonly (readonly [number, number])[]): Promise<readonly number[]> => {
  let dims: readonly number[] = [];
  await mayShowText(
    async (_, { x }) => {
      dims = x!.dims.slice(2);
      return { 'sigmoid_0.tmp_0': { data: new Float32Array(1), dims: [1, 1, 1, 1] } };
    },
    sizes.map(([width, height]) => ({ data: new Uint8Array(3 * width * height), width, height })),
  );
  return dims.toReversed();
};

test('crops up to 12 px to reach a multiple of 32, else pads, and uses the largest copy below the pixel limit', async () => {
  assert.deepEqual(await getInputSize([352, 264], [416, 312]), [352, 256]);
  assert.deepEqual(await getInputSize([352, 235], [416, 277]), [352, 224]);
  assert.deepEqual(await getInputSize([158, 352], [187, 416]), [192, 416], 'a screenshot of a phone');
  assert.deepEqual(await getInputSize([352, 352], [416, 416]), [352, 352]);
  assert.deepEqual(await getInputSize([20, 10], [20, 10]), [32, 32]);
});
