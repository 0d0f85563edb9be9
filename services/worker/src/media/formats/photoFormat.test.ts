import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import { findPhotoFormat } from './photoFormat.ts';
import { makeDng } from '@hearth/testkit/media/makeDng.ts';
import { lacksMedia, listTestPhotos } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { photoFormats } from './photoFormats.ts';
import { makeFlatImage } from '@hearth/testkit/mediaSet/renderBytes.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-format-'));
after(() => rm(folder, { recursive: true }));

const find = async (bytes: Buffer, name = 'file'): Promise<string | undefined> => {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return findPhotoFormat(path);
};

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const ftyp = (...brands: string[]): Buffer => {
  const box = latin1(`\0\0\0\0ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`);
  box.writeUInt32BE(box.length);
  return Buffer.concat([box, Buffer.alloc(64)]);
};

const fileHeads: Record<string, Buffer> = {
  jpeg: await makeFlatImage('red').jpeg().toBuffer(),
  png: await makeFlatImage('red').png().toBuffer(),
  webp: await makeFlatImage('red').webp().toBuffer(),
  gif: await makeFlatImage('red').gif().toBuffer(),
  tiff: await makeFlatImage('red').tiff().toBuffer(),
  avif: await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .avif({ effort: 0 })
    .toBuffer(),
  raw: makeDng({ width: 30, height: 20, previews: [] }),
};

for (const [format, bytes] of Object.entries(fileHeads)) {
  test(`detects a ${format} by its bytes, regardless of its name`, async () => {
    for (const name of [`photo.${format}`, 'photo.jpg', 'photo.txt', 'photo']) {
      assert.equal(await find(bytes, name), format);
    }
  });
}

for (const [what, bytes, format] of [
  ['a HEIC of an iPhone', ftyp('heic', 'mif1', 'MiHE', 'heic'), 'heif'],
  ['a 10-bit HEIC', ftyp('heix', 'mif1'), 'heif'],
  ['a HEIF without a codec in its major brand', ftyp('mif1', 'heic'), 'heif'],
  ['an AVIF with the major brand of HEIF', ftyp('mif1', 'avif', 'miaf'), 'avif'],
  ['an animated AVIF', ftyp('avis', 'avif', 'msf1'), 'avis'],
  ['a CR3', ftyp('crx ', 'isom'), 'raw'],
  ['an MP4', ftyp('isom', 'mp42'), undefined],
  ['a JPEG XL code stream', latin1('\xff\x0a\x00\x00'), 'jxl'],
  ['a JPEG XL file', latin1('\0\0\0\x0cJXL \r\n\x87\n'), 'jxl'],
  ['a JPEG 2000 file', latin1('\0\0\0\x0cjP  \r\n\x87\n'), 'jp2'],
  ['a Photoshop file', latin1('8BPS\0\x01'), 'psd'],
  ['an Olympus ORF', latin1('IIRO\x08\0\0\0'), 'raw'],
  ['a Panasonic RW2', latin1('IIU\0\x08\0\0\0'), 'raw'],
  ['a Fujifilm RAF', latin1('FUJIFILMCCD-RAW 0201'), 'raw'],
  ['a Canon CR2', latin1('II*\0\x10\0\0\0CR\x02\0'), 'raw'],
  ['a Phase One IIQ', latin1('II*\0\x08\x0a\0\0IIII'), 'raw'],
  ['a bitmap', Buffer.concat([latin1('BM'), Buffer.alloc(12), latin1('\x28\0\0\0'), Buffer.alloc(40)]), 'bmp'],
  ['a text that begins with BM', latin1('BMW drives through the snow in winter'), undefined],
  ['an SVG', latin1('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), undefined],
  ['an empty file', Buffer.alloc(0), undefined],
] as const) {
  test(`recognizes ${what} as ${format ?? 'no photo'}`, async () => {
    assert.equal(await find(bytes), format);
  });
}

test('recognizes a DNG whose first directory is at offset 0x2b00 as raw', async () => {
  const raw = fileHeads['raw']!;
  const from = raw.readUInt32LE(4);
  const directory = raw.subarray(from, from + 2 + 12 * raw.readUInt16LE(from) + 4);
  const moved = Buffer.concat([raw, Buffer.alloc(0x2b00 - raw.length), directory]);
  moved.writeUInt32LE(0x2b00, 4);
  assert.equal(await find(moved), 'raw');
});

test('distinguishes animated from still PNGs', async () => {
  const still = fileHeads['png']!;
  const control = Buffer.concat([latin1('\0\0\0\x08acTL'), Buffer.alloc(12)]);
  assert.equal(await find(Buffer.concat([still.subarray(0, 33), control, still.subarray(33)])), 'apng');
  assert.equal(await find(still), 'png');
});

test('survives truncated headers, and TIFF directories with invalid or circular offsets', async () => {
  const raw = fileHeads['raw']!;
  for (let length = 0; length < Math.min(raw.length, 200); length += 1) await find(raw.subarray(0, length));
  for (let at = 0; at + 4 <= raw.length; at += 1) {
    for (const offset of [0, 8, 0xffff_ffff]) {
      const wrong = Buffer.from(raw);
      wrong.writeUInt32LE(offset, at);
      await find(wrong);
    }
  }
});

test('detects a format whose MIME types include the one in the manifest', { skip: lacksMedia }, async () => {
  for (const { name, path, expected } of listTestPhotos()) {
    const format = await findPhotoFormat(path);
    assert.ok(format, name);
    const names: readonly string[] = photoFormats[format].mimeTypes;
    assert.ok(
      [expected.mimeType, ...(expected.mimeTypeAccepts ?? [])].some((type) => names.includes(type)),
      name,
    );
  }
});
