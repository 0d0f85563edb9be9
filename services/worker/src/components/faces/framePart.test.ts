import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framePart } from './framePart.ts';

const inPixels = (part: ReturnType<typeof framePart>) => [
  Math.round(part.left * 1000),
  Math.round(part.top * 500),
  Math.round(part.width * 1000),
  Math.round(part.height * 500),
];

test('the picture of a face is a square with room around it, and lies in the picture', () => {
  const picture = { width: 1000, height: 500 };
  const boxes = {
    'in the middle': [{ left: 0.45, top: 0.4, width: 0.1, height: 0.2 }, [410, 160, 180, 180]],
    'in a corner': [{ left: 0, top: 0.8, width: 0.1, height: 0.2 }, [0, 320, 180, 180]],
    'larger than its picture': [{ left: 0.2, top: 0, width: 0.5, height: 1 }, [200, 0, 500, 500]],
  } as const;
  for (const [where, [box, expected]] of Object.entries(boxes))
    assert.deepEqual(inPixels(framePart(box, picture)), expected, where);
});
