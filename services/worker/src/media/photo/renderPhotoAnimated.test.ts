import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { countFrames, fitMovingSize } from '../pictures/animatedPreview.ts';
import { makeApng } from '@hearth/testkit/media/makeApng.ts';
import { makeFlatImage, openRenderer } from '@hearth/testkit/mediaSet/renderBytes.ts';

const render = await openRenderer();

const colours = ['#c00000', '#00c000', '#0000c0'] as const;

const joinFrames = async (delay: number[], loop = 0) => {
  const frames = await Promise.all(colours.map((colour) => makeFlatImage(colour).png().toBuffer()));
  return { frames: sharp(frames, { join: { animated: true } }), options: { delay, loop } };
};

const assertAnimated = async (bytes: Buffer, delay: number[]): Promise<void> => {
  const photo = await render(bytes);
  assert.deepEqual([photo.width, photo.height, photo.isAnimated], [400, 300, true]);
  assert.deepEqual([photo.preview.extension, photo.preview.width, photo.preview.height], ['webp', 400, 300]);
  const moving = await sharp(photo.preview.bytes, { animated: true }).metadata();
  assert.deepEqual([moving.pages, moving.delay, moving.exif, moving.xmp], [3, delay, undefined, undefined]);
  for (const [page, expected] of colours.entries()) {
    assertColour(await meanColour(photo.preview.bytes, page), expected);
  }
  const still = await sharp(photo.thumbnail.bytes, { animated: true }).metadata();
  assert.equal(still.pages ?? 1, 1);
  assertColour(await meanColour(photo.thumbnail.bytes, 0), colours[0]);
};

test('keeps the animation of a GIF in the preview, and uses the first frame as thumbnail', async () => {
  const { frames, options } = await joinFrames([100, 250, 1_000]);
  await assertAnimated(await frames.gif(options).toBuffer(), [100, 250, 1_000]);
});

test('keeps the animation of a WebP in the preview, and uses the first frame as thumbnail', async () => {
  const { frames, options } = await joinFrames([100, 250, 1_000]);
  await assertAnimated(await frames.webp({ ...options, lossless: true }).toBuffer(), [100, 250, 1_000]);
});

test('keeps the animation of a PNG in the preview, and uses the first frame as thumbnail', async () => {
  const delays = [100, 250, 250];
  const frames = await Promise.all(
    colours.map(async (colour, i) => ({ png: await makeFlatImage(colour).png().toBuffer(), delayMs: delays[i]! })),
  );
  await assertAnimated(makeApng(frames), delays);
});

test('shows the readable frames of a truncated animation', async () => {
  const { frames, options } = await joinFrames([100, 100, 100]);
  const whole = await frames.gif(options).toBuffer();
  const photo = await render(whole.subarray(0, Math.ceil(whole.length * 0.6)));
  assert.deepEqual([photo.width, photo.height], [400, 300]);
  assertColour(await meanColour(photo.thumbnail.bytes, 0), colours[0]);
});

test('does not show the pages of a TIFF as an animation', async () => {
  const pages = await Promise.all(colours.map((colour) => makeFlatImage(colour).png().toBuffer()));
  const photo = await render(
    await sharp(pages, { join: { animated: true } })
      .tiff()
      .toBuffer(),
  );
  assert.deepEqual([photo.isAnimated, photo.preview.extension], [false, 'jpg']);
});

test('reduces number and size of frames in the preview of a large animation', () => {
  const [small, large] = [
    { width: 400, height: 300 },
    { width: 4_000, height: 3_000 },
  ];
  assert.deepEqual([countFrames(30, small), fitMovingSize(30, small)], [30, 400]);
  assert.deepEqual([countFrames(30, large), fitMovingSize(8, large)], [8, 1_440]);
  assert.ok(fitMovingSize(800, small) < 400);
  assert.equal(countFrames(500, { width: 12_000, height: 10_000 }), 0);
});

const meanColour = async (bytes: Buffer, page: number): Promise<number[]> => {
  const { channels } = await sharp(await sharp(bytes, { page }).removeAlpha().png().toBuffer()).stats();
  return channels.map(({ mean }) => mean);
};

const assertColour = (actual: number[], expected: string): void => {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(expected.slice(at, at + 2), 16));
  assert.ok(
    wanted.every((value, i) => Math.abs(value - actual[i]!) <= 8),
    `[${actual.join()}] differs from ${expected}`,
  );
};
