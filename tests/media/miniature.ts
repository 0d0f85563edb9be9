import sharp, { type SharpInput } from 'sharp';

/** Pixels of a miniature to each side: enough to tell a picture that is turned, mirrored, negated or another, and too few to show what it is of. */
const side = 4;

/** A picture on white as 4 × 4 pixels of RGB, in base64. */
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

/** The mean difference of two miniatures over all pixels and channels, from 0 to 255. */
export const miniatureDistance = (a: string, b: string): number => {
  const [left, right] = [Buffer.from(a, 'base64'), Buffer.from(b, 'base64')];
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length;
};
