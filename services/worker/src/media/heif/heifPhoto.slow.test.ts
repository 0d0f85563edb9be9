import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import sharp from 'sharp';
import type { PhotoPreview, PhotoSource } from '../pictures/photoPreview.ts';
import { renderPixelPreview } from '../pictures/pixelPreview.ts';
import { computeDHash, hashDistance } from '@hearth/testkit/pictures/dHash.ts';
import { makeHeic } from '@hearth/testkit/media/makeHeic.ts';
import { lacksMedia, listTestPhotos } from '@hearth/testkit/mediaSet/mediaSet.ts';
import { drawPhoto } from '@hearth/testkit/media/testPhotos.ts';
import { previewHeif, decodeWithLibheif } from './heifPhoto.ts';
import { openTestDecoders } from '@hearth/testkit/decoders/testDecoders.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-heif-'));
after(() => rm(folder, { recursive: true }));

const maxPixels = 150e6;
const toSource = (path: string): PhotoSource => ({ path, format: 'heif', maxPixels });

let files = 0;
const store = async (bytes: Buffer): Promise<string> => {
  const path = join(folder, `${(files += 1)}.heic`);
  await writeFile(path, bytes);
  return path;
};
const render = async (bytes: Buffer): Promise<PhotoPreview> => previewHeif(toSource(await store(bytes)));

/** Makes the preview of the same file with libheif. */
const renderReference = async (path: string): Promise<PhotoPreview> => {
  const pixels = await decodeWithLibheif(path, maxPixels);
  const rotation = { degrees: 0, mirrored: false } as const;
  return renderPixelPreview(pixels, { ...pixels, rotation, icc: undefined, hasAlpha: false, isDamaged: false });
};

const meanDifference = async (a: Buffer, b: Buffer): Promise<number> => {
  const [left, right] = await Promise.all(
    [a, b].map((picture) => sharp(picture, { ignoreIcc: true }).raw().toBuffer()),
  );
  assert.equal(left!.length, right!.length);
  let sum = 0;
  for (const [i, value] of left!.entries()) sum += Math.abs(value - right![i]!);
  return sum / left!.length;
};

const drawing = await drawPhoto(600, 420);

for (const irot of [undefined, 0, 1, 2, 3] as const) {
  for (const imir of [undefined, 0, 1] as const) {
    for (const mirrorsFirst of imir === undefined || irot === undefined ? [false] : [false, true]) {
      test(`matches libheif for a grid with irot ${irot}, imir ${imir}${mirrorsFirst ? ' (mirrored first)' : ''}`, async () => {
        const path = await store(
          await makeHeic({
            picture: drawing,
            tileSize: 256,
            ...(irot !== undefined && { irot }),
            ...(imir !== undefined && { imir }),
            mirrorsFirst,
          }),
        );
        const [photo, reference] = [await previewHeif(toSource(path)), await renderReference(path)];
        assert.deepEqual([photo.width, photo.height], [reference.width, reference.height]);
        assert.deepEqual([photo.width, photo.height], (irot ?? 0) % 2 === 1 ? [420, 600] : [600, 420]);
        const difference = await meanDifference(photo.still.bytes, reference.still.bytes);
        assert.ok(difference <= 2, `${difference} of 255`);
      });
    }
  }
}

test('renders 10-bit pictures, single items and odd sizes correctly', async () => {
  const odd = await sharp(drawing).resize(333, 221).png().toBuffer();
  for (const heic of [
    { picture: drawing, tileSize: 256, pixels: 'yuv420p10' },
    { picture: await sharp(drawing).resize(320, 240).png().toBuffer() },
    { picture: odd, tileSize: 128 },
  ] as const) {
    const photo = await render(await makeHeic(heic));
    const { width, height } = await sharp(heic.picture).metadata();
    assert.deepEqual([photo.width, photo.height, photo.warnings], [width, height, []]);
    assert.ok(hashDistance(await computeDHash(photo.still.bytes), await computeDHash(heic.picture)) <= 3);
    const difference = await meanDifference(
      photo.still.bytes,
      await sharp(heic.picture).removeAlpha().png().toBuffer(),
    );
    assert.ok(difference <= 6, `${difference} of 255`);
  }
});

test('renders cropped pictures, which only libheif supports', async () => {
  const photo = await render(await makeHeic({ picture: drawing, tileSize: 256, clap: { width: 400, height: 200 } }));
  assert.deepEqual([photo.width, photo.height], [400, 200]);
  const cropped = await sharp(drawing).extract({ left: 100, top: 110, width: 400, height: 200 }).png().toBuffer();
  assert.ok(hashDistance(await computeDHash(photo.still.bytes), await computeDHash(cropped)) <= 3);
});

test('kills a decoder that exceeds the memory limit, even if its event loop is blocked', async (t) => {
  const picture = await sharp(drawing).resize(4_000, 3_000).png().toBuffer();
  const path = await store(await makeHeic({ picture, tileSize: 1_024, clap: { width: 4_000, height: 3_000 } }));
  const pool = openTestDecoders({ maxPixels, size: 1, timeoutMs: 60_000, memoryLimitBytes: 170e6 });
  t.after(() => pool.close());
  await assert.rejects(pool.renderPhoto(path), { code: 'OUT_OF_MEMORY' });
});

test('keeps the colour profile of the file in the preview', async () => {
  const { icc } = await sharp(await sharp(drawing).withIccProfile('p3').jpeg().toBuffer()).metadata();
  const photo = await render(await makeHeic({ picture: drawing, tileSize: 256, icc: icc! }));
  assert.equal(photo.hasProfile, true);
  assert.deepEqual((await sharp(photo.still.bytes).metadata()).icc, icc);
});

test('renders the remaining tiles of a damaged picture, and fails as CORRUPT without any', async () => {
  const whole = await makeHeic({ picture: drawing, tileSize: 128 });
  const data = whole.lastIndexOf('mdat') + 4;
  const cut = await render(whole.subarray(0, data + Math.floor((whole.length - data) * 0.6)));
  assert.deepEqual([cut.width, cut.height, cut.warnings], [600, 420, ['DAMAGED']]);
  await assert.rejects(render(whole.subarray(0, data)), { code: 'CORRUPT' });
  await assert.rejects(render(whole.subarray(0, 100)), { code: 'CORRUPT' });
});

test('rejects a picture above the limit by its header', async () => {
  const bomb = await makeHeic({ picture: drawing, tileSize: 256 });
  const at = bomb.lastIndexOf('ispe') + 8;
  bomb.writeUInt32BE(20_000, at);
  bomb.writeUInt32BE(14_000, at + 4);
  await assert.rejects(render(bomb), { code: 'TOO_LARGE', message: /280 million/ });
});

const heics = listTestPhotos().filter(
  ({ expected }) => /hei[cf]$/.test(expected.mimeType) && expected.outcome === 'READY',
);

for (const { name, path } of heics) {
  test(`${name} differs from libheif by at most 2 of 255`, { skip: lacksMedia }, async () => {
    const [photo, reference] = [await previewHeif(toSource(path)), await renderReference(path)];
    const difference = await meanDifference(photo.still.bytes, reference.still.bytes);
    assert.ok(difference <= 2, `${difference} of 255`);
  });
}
