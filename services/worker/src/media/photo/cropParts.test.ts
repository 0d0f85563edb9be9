import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { cropParts } from './cropParts.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-cut-out-'));
after(() => rm(folder, { recursive: true }));

/** A blue picture of 2000 × 1000 pixels with a red square of 400 pixels, whose upper left corner is at 1200, 300. */
const drawSquares = (): Sharp =>
  sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#0000c0' } }).composite([
    { input: { create: { width: 400, height: 400, channels: 3, background: '#c00000' } }, left: 1200, top: 300 },
  ]);

const toSource = (path: string) => ({ path, format: 'jpeg' as const, maxPixels: 1e8 });

const readColour = async (bytes: Buffer): Promise<string> => {
  const { channels } = await sharp(bytes).stats();
  return channels.map(({ mean }) => (mean > 150 ? 'x' : mean < 20 ? '-' : '~')).join('');
};

test('crops parts at the best resolution, for any orientation of the file', async () => {
  const upright = await drawSquares().jpeg().toBuffer();
  const files = [
    { orientation: 1, picture: sharp(upright) },
    { orientation: 6, picture: sharp(upright).rotate(270) },
    { orientation: 2, picture: sharp(upright).flop() },
  ];
  for (const { orientation, picture } of files) {
    const path = join(folder, `${orientation}.jpg`);
    await picture.withMetadata({ orientation }).jpeg({ quality: 95 }).toFile(path);
    const [red, small, blue] = await cropParts({
      ...toSource(path),
      parts: [
        { left: 0.61, top: 0.32, width: 0.18, height: 0.36 },
        { left: 0.65, top: 0.4, width: 0.05, height: 0.1 },
        { left: 0, top: 0, width: 0.3, height: 0.2 },
      ],
    });
    assert.deepEqual([red!.width, red!.height, await readColour(red!.bytes)], [240, 240, 'x--']);
    assert.deepEqual([small!.width, small!.height, await readColour(small!.bytes)], [100, 100, 'x--']);
    assert.deepEqual([blue!.width, blue!.height, await readColour(blue!.bytes)], [240, 80, '--x']);
    assert.equal((await sharp(red!.bytes).metadata()).format, 'webp');
  }
});

test('clips a part that extends beyond the edge', async () => {
  const path = join(folder, 'edge.jpg');
  await drawSquares().jpeg().toFile(path);
  const crops = await cropParts({
    ...toSource(path),
    parts: [
      { left: 0.95, top: -0.1, width: 0.2, height: 0.2 },
      { left: 1, top: 1, width: 0.1, height: 0.1 },
    ],
  });
  for (const { width, height } of crops) assert.ok(width > 0 && height > 0);
});

test('crops the readable part of a truncated file, and rejects a file without a picture', async () => {
  const bytes = await drawSquares().jpeg().toBuffer();
  const path = join(folder, 'cut.jpg');
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
  const parts = [{ left: 0, top: 0, width: 0.2, height: 0.2 }];
  assert.equal((await cropParts({ ...toSource(path), parts })).length, 1);
  await writeFile(path, bytes.subarray(0, 40));
  await assert.rejects(cropParts({ ...toSource(path), parts }), { name: 'DecodeError', code: 'CORRUPT' });
  await writeFile(path, bytes);
  await assert.rejects(cropParts({ ...toSource(path), parts, maxPixels: 1e6 }), { code: 'TOO_LARGE' });
});
