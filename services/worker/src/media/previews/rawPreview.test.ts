import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';
import { renderStill } from './renderStill.ts';
import { computeDHash, hashDistance } from '@hearth/testkit/pictures/dHash.ts';
import { makeDng, type TestRaw } from '@hearth/testkit/media/makeDng.ts';
import { drawPhoto, encodeWithOrientation } from '@hearth/testkit/media/testPhotos.ts';
import { openTestDecoders, openTestExiftool } from '@hearth/testkit/decoders/testDecoders.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-raw-'));
const decoders = openTestDecoders({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 1e9, maxPixels: 150e6 });
const exiftool = await openTestExiftool({ timeoutMs: 60_000, maxProcs: 1 });
after(async () => {
  await Promise.all([decoders.close(), exiftool.end()]);
  await rm(folder, { recursive: true });
});

const render = async (raw: TestRaw): Promise<RenderedPhoto> => {
  const path = join(folder, 'original');
  await writeFile(path, makeDng(raw));
  try {
    return await renderStill(path, { decoders, exiftool, scratchDirectory: folder });
  } finally {
    assert.deepEqual(await readdir(folder), ['original'], 'only the original is left');
  }
};

/** Draws a photo as a camera held in this orientation stores it. */
const makePreview = async (width: number, height: number, orientation = 1) => {
  const stored = await encodeWithOrientation(await drawPhoto(width, height), orientation);
  const bytes = await sharp(stored).jpeg().toBuffer();
  const size = await sharp(bytes).metadata();
  return { bytes, width: size.width, height: size.height };
};

const frame = { width: 3000, height: 2000 };

test('renders the largest of several previews, with the size of the RAW picture', async () => {
  const previews = [await makePreview(240, 160), await makePreview(1200, 800), await makePreview(600, 400)];
  const photo = await render({ ...frame, previews });
  assert.deepEqual([photo.format, photo.width, photo.height], ['raw', 3000, 2000]);
  assert.deepEqual([photo.preview.width, photo.preview.height], [1200, 800]);
});

for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
  test(`rotates a preview stored like the RAW picture, with orientation ${orientation}`, async () => {
    const [width, height] = orientation >= 5 ? ([800, 1200] as const) : ([1200, 800] as const);
    const photo = await render({ ...frame, orientation, previews: [await makePreview(width, height, orientation)] });
    assert.deepEqual([photo.width, photo.height], orientation >= 5 ? [2000, 3000] : [3000, 2000]);
    assert.deepEqual([photo.preview.width, photo.preview.height], [width, height]);
    const distance = hashDistance(
      await computeDHash(photo.thumbnail.bytes),
      await computeDHash(await drawPhoto(width, height)),
    );
    assert.ok(distance <= 4, `${distance}`);
  });
}

test('does not rotate a preview that the camera has already rotated', async () => {
  const photo = await render({ ...frame, orientation: 6, previews: [await makePreview(800, 1200)] });
  assert.deepEqual([photo.width, photo.height], [2000, 3000]);
  assert.deepEqual([photo.preview.width, photo.preview.height], [800, 1200]);
});

test('falls back to a smaller preview if the largest is invalid', async () => {
  const broken = { bytes: Buffer.alloc(200_000, 'x'), width: 1200, height: 800 };
  const photo = await render({ ...frame, previews: [await makePreview(240, 160), broken] });
  assert.deepEqual([photo.preview.width, photo.preview.height], [240, 160]);
});

test('fails a RAW file without a preview as NO_PIXELS', async () => {
  const dummy = await makePreview(8, 8);
  for (const previews of [[], [dummy]]) {
    await assert.rejects(render({ ...frame, previews }), { code: 'NO_PIXELS', permanent: true });
  }
});

test('reports a RAW file as UNSUPPORTED without exiftool', async () => {
  const path = join(folder, 'original');
  await writeFile(path, makeDng({ ...frame, previews: [await makePreview(240, 160)] }));
  const tools = { decoders, exiftool: undefined, scratchDirectory: folder };
  await assert.rejects(renderStill(path, tools), { code: 'UNSUPPORTED' });
});
