import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileQuery } from '@hearth/contract/files.ts';
import { cleanFilename } from './cleanFilename.ts';

const long = 'x'.repeat(1_000);

const names: readonly [given: string, kept: string][] = [
  ['IMG_4025.jpg', 'IMG_4025.jpg'],
  ['Ferien am Meer 🏖️.jpeg', 'Ferien am Meer 🏖️.jpeg'],
  ['写真 (1).HEIC', '写真 (1).HEIC'],
  ['cafe\u0301.jpg', 'café.jpg'],
  ['  a.jpg\n', 'a.jpg'],
  ['a\0b\u001b[31m.jpg', 'ab[31m.jpg'],
  ['a\u2028b.jpg', 'ab.jpg'],
  ['\ud800.jpg', '\ufffd.jpg'],
  ['', 'unnamed'],
  [' \0 ', 'unnamed'],
  ['..', 'unnamed'],
  ['.\0.', 'unnamed'],
  [long, 'x'.repeat(255)],
  [`${long}.jpg`, `${'x'.repeat(251)}.jpg`],
  [`${'🏖'.repeat(300)}.png`, `${'🏖'.repeat(251)}.png`],
  [`a.${long}`, `a.${'x'.repeat(253)}`],
];

for (const [given, kept] of names) {
  test(`${JSON.stringify(given).slice(0, 40)} is kept as ${JSON.stringify(kept).slice(0, 40)}, which a link can carry`, () => {
    assert.equal(cleanFilename(given), kept);
    assert.equal(FileQuery.shape.filename.parse(kept), kept);
  });
}
