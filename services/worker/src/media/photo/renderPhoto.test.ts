import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { thumbHashToApproximateAspectRatio } from 'thumbhash';
import { computeDHash, hashDistance } from '@hearth/testkit/pictures/dHash.ts';
import { makeFlatImage, openRenderer } from '@hearth/testkit/mediaSet/renderBytes.ts';
import { drawPhoto, makeProgressiveJpeg, encodeWithOrientation } from '@hearth/testkit/media/testPhotos.ts';

const render = await openRenderer();

for (const [width, height] of [
  [900, 600],
  [600, 900],
] as const) {
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`renders a ${width}×${height} photo with orientation ${orientation} upright`, async () => {
      const upright = await drawPhoto(width, height);
      const photo = await render(await encodeWithOrientation(upright, orientation));
      const expected = await computeDHash(upright);
      assert.deepEqual([photo.width, photo.height], [width, height]);
      assert.deepEqual([photo.preview.width, photo.preview.height], [width, height]);
      assert.equal(Math.max(photo.thumbnail.width, photo.thumbnail.height), 320);
      for (const picture of [photo.preview, photo.thumbnail]) {
        assert.ok(hashDistance(await computeDHash(picture.bytes), expected) <= 4);
      }
      assert.deepEqual(photo.warnings, []);
    });
  }
}

test('makes a 1440 px JPEG preview with 4:2:0 chroma and a 320 px WebP thumbnail', async () => {
  const photo = await render(await makeProgressiveJpeg(3000, 1500));
  const preview = await sharp(photo.preview.bytes).metadata();
  assert.deepEqual(
    [preview.format, preview.width, preview.height, preview.chromaSubsampling],
    ['jpeg', 1440, 720, '4:2:0'],
  );
  const thumbnail = await sharp(photo.thumbnail.bytes).metadata();
  assert.deepEqual([thumbnail.format, thumbnail.width, thumbnail.height], ['webp', 320, 160]);
});

test('makes a ThumbHash placeholder with the aspect ratio of the photo', async () => {
  const { placeholder } = await render(await drawPhoto(1600, 400));
  const ratio = thumbHashToApproximateAspectRatio(Buffer.from(placeholder, 'base64'));
  assert.ok(ratio > 2, `${ratio}`);
});

test('removes EXIF, GPS and XMP', async () => {
  const tagged = await makeFlatImage('#406080')
    .withExif({ IFD0: { Make: 'TestCam' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .jpeg()
    .toBuffer();
  const { exif, xmp } = await sharp(tagged).metadata();
  assert.ok(exif && xmp);
  const photo = await render(tagged);
  for (const picture of [photo.preview, photo.thumbnail]) {
    const remaining = await sharp(picture.bytes).metadata();
    assert.deepEqual([remaining.exif, remaining.xmp, remaining.iptc], [undefined, undefined, undefined]);
  }
});

for (const [width, height, thumbnail] of [
  [1, 1, [1, 1]],
  [200, 100, [200, 100]],
  [10_000, 10, [320, 1]],
  [10, 10_000, [1, 320]],
] as const) {
  test(`renders a ${width}×${height} picture without enlarging it`, async () => {
    const photo = await render(
      await sharp(await drawPhoto(width, height))
        .png()
        .toBuffer(),
    );
    assert.deepEqual([photo.width, photo.height], [width, height]);
    assert.ok(photo.preview.width <= width && photo.preview.height <= height);
    assert.deepEqual([photo.thumbnail.width, photo.thumbnail.height], thumbnail);
  });
}
