import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FileQuery } from '@hearth/contract/files.ts';
import { cleanFilename, contentDisposition } from './filenames.ts';

const long = 'x'.repeat(1_000);

const names: readonly [given: string, kept: string][] = [
  ['IMG_4025.jpg', 'IMG_4025.jpg'],
  ['Ferien am Meer 🏖️.jpeg', 'Ferien am Meer 🏖️.jpeg'],
  ['写真 (1).HEIC', '写真 (1).HEIC'],
  ['cafe\u0301.jpg', 'café.jpg'],
  ['  a.jpg\n', 'a.jpg'],
  ['a\0b\u001b[31m.jpg', 'ab[31m.jpg'],
  ['a\u2028b.jpg', 'ab.jpg'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['\u2066a\u2069\u200e\u200f\u061c.jpg', 'a.jpg'],
  ['a\u200b\u2060\ufeff\u00ad\u3164\u{e0041}.jpg', 'a.jpg'],
  ['a\u200d\u200c.jpg\u200d', 'a.jpg'],
  ['\u202e', 'unnamed'],
  ['👩\u200d👧.jpg', '👩\u200d👧.jpg'],
  ['می\u200cخواهم.jpg', 'می\u200cخواهم.jpg'],
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
  test(`cleans ${JSON.stringify(given).slice(0, 40)} to ${JSON.stringify(kept).slice(0, 40)}, which is valid in a link`, () => {
    assert.equal(cleanFilename(given), kept);
    assert.equal(FileQuery.shape.filename.parse(kept), kept);
  });
}

test('saves a file under its name without invisible characters', () => {
  assert.equal(contentDisposition(undefined), 'inline');
  assert.equal(contentDisposition("it's (1).jpg"), "inline; filename*=UTF-8''it%27s%20%281%29.jpg");
  assert.equal(contentDisposition('invoice\u202egpj.exe'), "inline; filename*=UTF-8''invoicegpj.exe");
  assert.equal(contentDisposition('a\r\nb\u200b.jpg'), "inline; filename*=UTF-8''ab.jpg");
});
