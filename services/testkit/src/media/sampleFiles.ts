import sharp from 'sharp';
import type { PhotoFormat } from '@hearth/worker/media/formats/photoFormats.ts';
import { encodeFrames } from './encodeFrames.ts';
import { makeApng } from './makeApng.ts';
import { makeDng } from './makeDng.ts';
import { makeHeic } from './makeHeic.ts';
import { drawPhoto } from './testPhotos.ts';

/** Makes a small file of each format. */
export async function makeSampleFiles(): Promise<Record<PhotoFormat, Buffer>> {
  const picture = await sharp(await drawPhoto(160, 120))
    .removeAlpha()
    .png()
    .toBuffer();
  const frames = await Promise.all(
    [0, 90, 180].map((degrees) => sharp(picture).modulate({ hue: degrees }).png().toBuffer()),
  );
  const still = sharp(picture);
  const animation = sharp(frames, { join: { animated: true } });
  const jpeg = await still
    .clone()
    .withIccProfile('p3')
    .withExif({ IFD0: { Make: 'TestCam' } })
    .jpeg()
    .toBuffer();
  const rgb = await still.clone().raw().toBuffer();
  const encode = async (encoder: 'libjxl' | 'jpeg2000' | 'bmp') =>
    encodeFrames([picture], { encoder, container: 'image2', pixels: encoder === 'bmp' ? 'bgr24' : 'rgb24' });
  const av1 = { preset: '12', crf: '30', b: '0' };
  return {
    jpeg,
    png: picture,
    apng: makeApng(frames.map((png) => ({ png, delayMs: 100 }))),
    webp: await animation.clone().webp().toBuffer(),
    gif: await animation.clone().gif().toBuffer(),
    tiff: await still.clone().tiff({ compression: 'lzw' }).toBuffer(),
    avif: await still.clone().avif({ effort: 0 }).toBuffer(),
    avis: await encodeFrames(frames, { encoder: 'libsvtav1', container: 'avif', pixels: 'yuv420p', options: av1 }),
    heif: await makeHeic({ picture, tileSize: 64, irot: 1 }),
    jxl: await encode('libjxl'),
    jp2: await encode('jpeg2000'),
    bmp: await encode('bmp'),
    psd: makePsd(rgb, 160, 120),
    raw: makeDng({ width: 320, height: 240, previews: [{ bytes: jpeg, width: 160, height: 120 }] }),
  };
}

/** Makes a Photoshop file without layers: header, three empty sections, and the planes one after another. */
function makePsd(rgb: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(26 + 12 + 2);
  header.write('8BPS\0\x01', 'latin1');
  header.writeUInt16BE(3, 12);
  header.writeUInt32BE(height, 14);
  header.writeUInt32BE(width, 18);
  header.writeUInt16BE(8, 22);
  header.writeUInt16BE(3, 24);
  const planes = [0, 1, 2].map((channel) => rgb.filter((_, i) => i % 3 === channel));
  return Buffer.concat([header, ...planes]);
}
