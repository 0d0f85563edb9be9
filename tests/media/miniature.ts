import sharp, { type SharpInput } from 'sharp';

/**
 * Width and height of a miniature in pixels: enough to detect rotation, mirroring, inversion or another picture, and
 * too small to recognise the content.
 */
const side = 4;

/** Renders a picture on white as 4 × 4 RGB pixels, in Base64. */
export const drawMiniature = async (picture: SharpInput): Promise<string> => {
  const whole = await sharp(picture, { failOn: 'none' })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .removeAlpha()
    .png()
    .toBuffer();
  const pixels = await sharp(whole)
    .resize(side, side, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  return pixels.toString('base64');
};

/** Returns the mean difference of two miniatures over all pixels and channels, 0 to 255. */
export const miniatureDistance = (a: string, b: string): number => {
  const [left, right] = [Buffer.from(a, 'base64'), Buffer.from(b, 'base64')];
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length;
};
