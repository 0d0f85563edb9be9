import { expect, test } from 'vitest';
import { isText } from './isText.ts';

const bytes = (...values: readonly number[]): Blob => new Blob([new Uint8Array(values)]);

test.each([
  ['a recipe', new Blob(['Take 3 eggs and some flour.\n']), true],
  ['text cut off within a multi-byte character', new Blob([`${'x'.repeat(4095)}ü`]), true],
  ['a JPEG', bytes(0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10), false],
  ['an MP4', bytes(0x00, 0x00, 0x00, 0x18, 0x66, 0x74, 0x79, 0x70), false],
  ['a GIF', new Blob(['GIF89a', new Uint8Array([0x40, 0x01, 0xf0, 0x00])]), false],
  [
    'a Fujifilm raw file, which begins with text',
    new Blob(['FUJIFILMCCD-RAW 0201FF383501X-T2', new Uint8Array(4)]),
    false,
  ],
])('detects whether a file is text: %s', async (_, file, expected) => {
  expect(await isText(file)).toBe(expected);
});
