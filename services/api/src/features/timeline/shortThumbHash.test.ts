import assert from 'node:assert/strict';
import { test } from 'node:test';
// oxlint-disable-next-line eslint/no-restricted-imports -- it decodes only hashes that it has created
import { rgbaToThumbHash, thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash';
import { shortThumbHash } from './shortThumbHash.ts';

/**
 * ThumbHash of a picture that is bright on the left and red at the bottom, with stripes and optionally a transparent
 * corner.
 */
const hashOf = (width: number, height: number, isTransparent = false): Uint8Array => {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const light = 200 * (1 - x / width) + (x % 8 < 4 ? 30 : 0);
      rgba.set([Math.min(255, light + (120 * y) / height), light, light * 0.8], i);
      rgba[i + 3] = isTransparent && x < width / 3 && y < height / 3 ? 0 : 255;
    }
  }
  return rgbaToThumbHash(width, height, rgba);
};

const short = (hash: Uint8Array): Uint8Array => {
  const text = shortThumbHash(Buffer.from(hash).toString('base64'));
  assert.ok(text !== undefined);
  return Buffer.from(text, 'base64');
};

/** Brightness, 0 to 255, at a position in fractions of the picture. */
const lightAt = ({ w, h, rgba }: ReturnType<typeof thumbHashToRGBA>, x: number, y: number): number => {
  const at = (Math.min(h - 1, Math.floor(y * h)) * w + Math.min(w - 1, Math.floor(x * w))) * 4;
  return (rgba[at]! + rgba[at + 1]! + rgba[at + 2]!) / 3;
};

for (const [width, height] of [
  [100, 75],
  [75, 100],
  [100, 100],
  [100, 20],
  [20, 100],
] as const) {
  for (const isTransparent of [false, true]) {
    test(`the short hash of ${width} × ${height}${isTransparent ? ' with a transparent corner' : ''} has 17 bytes and looks similar`, () => {
      const whole = hashOf(width, height, isTransparent);
      const cut = short(whole);
      assert.equal(cut.length, 17);
      const [before, now] = [thumbHashToAverageRGBA(whole), thumbHashToAverageRGBA(cut)];
      for (const colour of ['r', 'g', 'b'] as const) assert.ok(Math.abs(before[colour] - now[colour]) < 1e-6, colour);
      const [large, small] = [thumbHashToRGBA(whole), thumbHashToRGBA(cut)];
      for (const [x, y] of [
        [0.1, 0.5],
        [0.5, 0.5],
        [0.9, 0.5],
        [0.5, 0.9],
        [0.9, 0.9],
      ] as const) {
        const difference = Math.abs(lightAt(large, x, y) - lightAt(small, x, y));
        assert.ok(difference < 30, `${difference} at ${x}, ${y}`);
      }
    });
  }
}

test('shortening is idempotent', () => {
  const once = short(hashOf(100, 75));
  assert.deepEqual(short(once), once);
});

test('returns undefined for text that is not a ThumbHash', () => {
  for (const text of ['', 'AAAA', Buffer.alloc(12, 255).toString('base64'), 'not base64']) {
    assert.equal(shortThumbHash(text), undefined, text);
  }
});
