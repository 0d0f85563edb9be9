import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** RGBA, row by row. */
interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Maximum difference of two colours, 0 to 1 (YIQ, as in pixelmatch). Edges of letters and lossy compression differ by less. */
const threshold = 0.2;

/** Makes a reference picture of a page: at half the size, which softens the edges of letters, and with lossy compression. */
export const toReferencePicture = async (screenshot: Buffer): Promise<Buffer> => toWebp(await halve(screenshot));

/** Compresses a screenshot, by default without visible loss. */
export const toWebp = (screenshot: Buffer, quality = 82): Promise<Buffer> =>
  sharp(screenshot).webp({ quality, effort: 6 }).toBuffer();

/** Crops a square of a picture, in pixels, and scales it to `to` pixels. */
export const cutSquare = (
  picture: Buffer,
  { left, top, side, to }: { readonly left: number; readonly top: number; readonly side: number; readonly to: number },
): Promise<Buffer> =>
  sharp(picture).extract({ left, top, width: side, height: side }).resize(to, to).webp({ quality: 82 }).toBuffer();

/** Returns size and format of a picture as text. */
export const describePicture = async (picture: Buffer): Promise<string> => {
  const { width, height, format } = await sharp(picture).metadata();
  return `${width}×${height} ${format}`;
};

/** Returns the share of pixels that visibly differ between a reference picture and a screenshot, 0 to 1; 1 if their sizes differ. */
export const comparePictures = async (reference: Buffer, screenshot: Buffer): Promise<number> => {
  const [one, other] = [await readPixels(reference), await readPixels(await halve(screenshot))];
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
