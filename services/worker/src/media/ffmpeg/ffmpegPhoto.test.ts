import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { DecodeError } from '../errors/decodeError.ts';
import { computeDHash, hashDistance } from '@hearth/testkit/pictures/dHash.ts';
import { encodeFrames, type FrameEncoding } from '@hearth/testkit/media/encodeFrames.ts';
import { makeFlatImage, openRenderer } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';

const render = await openRenderer();
const drawing = await sharp(await drawPhoto(601, 399))
  .removeAlpha()
  .png()
  .toBuffer();

const encodings = {
  jxl: { encoder: 'libjxl', container: 'image2', pixels: 'rgb24' },
  jp2: { encoder: 'jpeg2000', container: 'image2', pixels: 'rgb24' },
  bmp: { encoder: 'bmp', container: 'image2', pixels: 'bgr24' },
} as const satisfies Record<string, FrameEncoding>;

for (const [format, encoding] of Object.entries(encodings)) {
  test(`renders a ${format} faithfully`, async () => {
    const photo = await render(await encodeFrames([drawing], encoding));
    assert.deepEqual([photo.format, photo.width, photo.height], [format, 601, 399]);
    assert.deepEqual([photo.hasAlpha, photo.isAnimated, photo.warnings], [false, false, []]);
    assert.ok(hashDistance(await computeDHash(photo.preview.bytes), await computeDHash(drawing)) <= 2);
    const [mean, wanted] = await Promise.all([photo.preview.bytes, drawing].map((picture) => sharp(picture).stats()));
    for (const [i, channel] of wanted!.channels.entries()) {
      assert.ok(Math.abs(channel.mean - mean!.channels[i]!.mean) <= 2, `channel ${i}`);
    }
  });

  test(`renders or rejects a truncated or corrupted ${format}, and fails nothing else`, async () => {
    const whole = await encodeFrames([drawing], encoding);
    for (let part = 0.5; part < 20; part += 1)
      await describeOutcome(whole.subarray(0, Math.floor((whole.length * part) / 20)));
    for (let at = 2; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const wrong = Buffer.from(whole);
      wrong[at]! ^= 0x55;
      await describeOutcome(wrong);
    }
  });
}

async function describeOutcome(bytes: Buffer): Promise<void> {
  try {
    await render(bytes);
  } catch (error) {
    assert.ok(error instanceof DecodeError);
    assert.match(error.code, /^(CORRUPT|UNSUPPORTED|TOO_LARGE)$/);
  }
}

/** Small files whose headers state huge sizes. */
const bombs: Record<string, Buffer> = {
  'a bitmap': Buffer.concat([
    Buffer.from('BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0', 'latin1'),
    Buffer.from('40420f0040420f0001001800', 'hex'),
    Buffer.alloc(100),
  ]),
  'a JPEG 2000': Buffer.concat([
    Buffer.from('ff4fff51002f0000000f4240000f4240', 'hex'),
    Buffer.alloc(8),
    Buffer.from('000f4240000f4240', 'hex'),
    Buffer.alloc(100),
  ]),
  // Height and ratio 1:1 in one number: 30 bits of height after the selector.
  'a JPEG XL': Buffer.concat([Buffer.from('ff0a', 'hex'), jpegXlSize(1_000_000), Buffer.alloc(100)]),
  'a Photoshop file': Buffer.concat([
    Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03', 'latin1'),
    Buffer.from('000f4240000f424000080003', 'hex'),
    Buffer.alloc(100),
  ]),
};

function jpegXlSize(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(0n | (3n << 1n) | (BigInt(length - 1) << 3n) | (1n << 33n));
  return bytes;
}

for (const [what, bytes] of Object.entries(bombs)) {
  test(`rejects ${what} of a million by a million pixels by its header`, async () => {
    await assert.rejects(render(bytes), { code: 'TOO_LARGE', message: /1000000 million/ });
  });
}

test('keeps the animation of an AVIF in the preview, and uses the first frame as thumbnail', async () => {
  const colours = ['#c00000', '#00c000', '#0000c0'];
  const pictures = await Promise.all(colours.map((colour) => makeFlatImage(colour).png().toBuffer()));
  const options = { preset: '12', crf: '20', b: '0' };
  const photo = await render(
    await encodeFrames(pictures, { encoder: 'libsvtav1', container: 'avif', pixels: 'yuv420p', options }),
  );
  assert.deepEqual([photo.format, photo.width, photo.height, photo.isAnimated], ['avis', 400, 300, true]);
  const moving = await sharp(photo.preview.bytes, { animated: true }).metadata();
  assert.deepEqual([moving.pages, moving.delay], [3, [100, 100, 100]]);
  const [red, green] = (await sharp(photo.thumbnail.bytes).stats()).channels;
  assert.ok(red!.mean > 150 && green!.mean < 40);
});
