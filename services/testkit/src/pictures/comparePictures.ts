import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** Pixels of RGBA, row by row. */
interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** How far two colours may lie apart, from 0 to 1 (YIQ, as pixelmatch has it): the edges of letters and a lossy file differ by less. */
const threshold = 0.2;

/** A picture of a page as it is kept: of half the size, in which the edges of letters count for little, and lossy. */
export const toKeptPicture = async (screenshot: Buffer): Promise<Buffer> => toWebp(await halve(screenshot));

/** A screenshot as a lossy file, in which nobody sees the loss, unless a lower quality is asked for. */
export const toWebp = (screenshot: Buffer, quality = 82): Promise<Buffer> =>
  sharp(screenshot).webp({ quality, effort: 6 }).toBuffer();

/** A square of a picture, given in its pixels, as a small picture with sides of `to` pixels. */
export const cutSquare = (
  picture: Buffer,
  { left, top, side, to }: { readonly left: number; readonly top: number; readonly side: number; readonly to: number },
): Promise<Buffer> =>
  sharp(picture).extract({ left, top, width: side, height: side }).resize(to, to).webp({ quality: 82 }).toBuffer();

/** The size of a picture in pixels, and its format. */
export const describePicture = async (picture: Buffer): Promise<string> => {
  const { width, height, format } = await sharp(picture).metadata();
  return `${width}×${height} ${format}`;
};

/** The part of the pixels in which a person would see a difference between a kept picture and a screenshot: from 0 to 1; 1 where their sizes differ. */
export const pictureDifference = async (kept: Buffer, screenshot: Buffer): Promise<number> => {
  const [one, other] = [await readPixels(kept), await readPixels(await halve(screenshot))];
  if (one.width !== other.width || one.height !== other.height) return 1;
  return pixelmatch(one.data, other.data, undefined, one.width, one.height, { threshold }) / (one.width * one.height);
};

const halve = async (screenshot: Buffer): Promise<Buffer> => {
  const { width } = await sharp(screenshot).metadata();
  return sharp(screenshot)
    .resize(Math.round(width / 2))
    .png()
    .toBuffer();
};

const readPixels = async (picture: Buffer): Promise<Pixels> => {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};
