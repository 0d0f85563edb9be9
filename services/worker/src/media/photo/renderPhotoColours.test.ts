import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { makeFlatImage, openRenderer } from '@hearth/testkit/mediaSet/renderBytes.ts';

const render = await openRenderer();

const colours: Record<string, { photo: () => Promise<Buffer>; expected: number[]; tolerance: number }> = {
  'a CMYK JPEG': {
    photo: () => makeFlatImage('#408060').toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(),
    expected: [0x40, 0x80, 0x60],
    tolerance: 12,
  },
  'a CMYK JPEG with its profile': {
    photo: () => makeFlatImage('#408060').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer(),
    expected: [0x40, 0x80, 0x60],
    tolerance: 20,
  },
  'a grey JPEG': {
    photo: () => makeFlatImage('#777777').greyscale().jpeg().toBuffer(),
    expected: [0x77, 0x77, 0x77],
    tolerance: 2,
  },
  'a 16-bit PNG': {
    photo: () => makeFlatImage('#c08040').toColourspace('rgb16').png().toBuffer(),
    expected: [0xc0, 0x80, 0x40],
    tolerance: 3,
  },
  'a PNG with a palette': {
    photo: () => makeFlatImage('#2080c0').png({ palette: true }).toBuffer(),
    expected: [0x20, 0x80, 0xc0],
    tolerance: 3,
  },
  'a 16-bit TIFF': {
    photo: () => makeFlatImage('#c08040').toColourspace('rgb16').tiff().toBuffer(),
    expected: [0xc0, 0x80, 0x40],
    tolerance: 3,
  },
  'a CMYK TIFF': {
    photo: () => makeFlatImage('#408060').toColourspace('cmyk').tiff().toBuffer(),
    expected: [0x40, 0x80, 0x60],
    tolerance: 12,
  },
  'a TIFF of one bit': {
    photo: () => makeFlatImage('white').toColourspace('b-w').tiff({ bitdepth: 1, compression: 'ccittfax4' }).toBuffer(),
    expected: [0xff, 0xff, 0xff],
    tolerance: 1,
  },
  'a GIF': {
    photo: () => makeFlatImage('#2080c0').gif().toBuffer(),
    expected: [0x20, 0x80, 0xc0],
    tolerance: 8,
  },
  'an AVIF of 10 bit': {
    photo: () => makeFlatImage('#406080').avif({ bitdepth: 10, effort: 0, quality: 90 }).toBuffer(),
    expected: [0x40, 0x60, 0x80],
    tolerance: 4,
  },
  'a lossless WebP': {
    photo: () => makeFlatImage('#a0b0c0').webp({ lossless: true }).toBuffer(),
    expected: [0xa0, 0xb0, 0xc0],
    tolerance: 3,
  },
};

for (const [name, { photo, expected, tolerance }] of Object.entries(colours)) {
  test(`keeps the colour of ${name} in an RGB preview`, async () => {
    const { preview, thumbnail, width, height } = await render(await photo());
    assert.deepEqual([width, height], [400, 300]);
    const { space, channels } = await sharp(preview.bytes).metadata();
    assert.deepEqual([space, channels], ['srgb', 3]);
    assertColour(await middleColour(preview.bytes), expected, tolerance);
    assertColour(await middleColour(thumbnail.bytes), expected, tolerance);
  });
}

test('keeps the profile of a Display P3 photo in the preview, and its colour in the sRGB thumbnail', async () => {
  const photo = await makeFlatImage('#c06030').withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
  const { preview, thumbnail } = await render(photo);
  assert.deepEqual((await sharp(preview.bytes).metadata()).icc, (await sharp(photo).metadata()).icc);
  assert.equal((await sharp(thumbnail.bytes).metadata()).icc, undefined);
  assertColour(await middleColour(preview.bytes), [0xc0, 0x60, 0x30], 4);
  assertColour(await middleColour(thumbnail.bytes), [0xc0, 0x60, 0x30], 4);
});

test('drops a colour profile that is invalid or not RGB', async () => {
  const photo = await makeFlatImage('#c06030').withIccProfile('p3').jpeg({ quality: 95 }).toBuffer();
  const name = photo.indexOf('ICC_PROFILE');
  for (const [offset, text] of [
    [16, 'GRAY'],
    [36, 'nope'],
  ] as const) {
    const broken = Buffer.from(photo);
    // The profile follows the name of the segment (11 bytes), a zero, and two numbers.
    broken.write(text, name + 14 + offset, 'latin1');
    const { preview, thumbnail } = await render(broken);
    assert.equal((await sharp(preview.bytes).metadata()).icc, undefined);
    assertColour(await middleColour(thumbnail.bytes), [181, 101, 59], 6);
  }
});

test('replaces transparency by white', async () => {
  const photo = await render(await makeFlatImage({ r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer());
  assert.equal(photo.hasAlpha, true);
  assertColour(await middleColour(photo.preview.bytes), [255, 255, 255], 1);
  assertColour(await middleColour(photo.thumbnail.bytes), [255, 255, 255], 1);
});

/** Returns the sRGB colour in the middle of a picture. */
async function middleColour(picture: Buffer): Promise<number[]> {
  const { width, height } = await sharp(picture).metadata();
  const middle = { left: width >> 1, top: height >> 1, width: 1, height: 1 };
  const srgb = await sharp(picture).flatten({ background: 'red' }).toColourspace('srgb').png().toBuffer();
  return [...(await sharp(srgb).extract(middle).raw().toBuffer())];
}

function assertColour(actual: number[], expected: number[], tolerance: number): void {
  const isClose = expected.every((value, i) => Math.abs(value - actual[i]!) <= tolerance);
  assert.ok(isClose && actual.length === expected.length, `[${actual.join()}] differs from [${expected.join()}]`);
}
