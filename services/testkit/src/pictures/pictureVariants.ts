import sharp, { type Sharp } from 'sharp';

/** Changes that pictures undergo before they reach a library. */
export const variantNames = ['turned', 'darkened', 'recompressed', 'cropped', 'quarter', 'mirrored'] as const;

export type VariantName = (typeof variantNames)[number];

/** Makes a variant of a picture as an upright JPEG. */
export const makeVariant = async (picture: string | Buffer, name: VariantName): Promise<Buffer> => {
  const upright = await rotateUpright(picture);
  const { width, height } = await sharp(upright).metadata();
  const quality = name === 'recompressed' ? 25 : 90;
  return changes[name](sharp(upright), width, height).jpeg({ quality }).toBuffer();
};

/** Rotates a picture without setting an EXIF orientation. */
export const rotate = async (picture: string | Buffer, degrees: 90 | 180 | 270): Promise<Buffer> =>
  sharp(await rotateUpright(picture))
    .rotate(degrees)
    .jpeg({ quality: 90 })
    .toBuffer();

/** Makes a JPEG like the previews of photos: upright, on white, with a longer side of at most `side` pixels. */
export const makePreview = async (path: string, side: number, quality: number): Promise<Buffer> =>
  sharp(path)
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .jpeg({ quality })
    .toBuffer();

const rotateUpright = (picture: string | Buffer): Promise<Buffer> =>
  sharp(picture)
    .autoOrient()
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .png({ compressionLevel: 0 })
    .toBuffer();

const changes: Readonly<Record<VariantName, (picture: Sharp, width: number, height: number) => Sharp>> = {
  /** By ten degrees, like a tilted camera. */
  turned: (picture) => picture.rotate(10, { background: 'grey' }),
  darkened: (picture) => picture.linear(0.4, 0),
  recompressed: (picture) => picture,
  /** The middle 80 % of each side. */
  cropped: (picture, width, height) =>
    picture.extract({
      left: Math.round(0.1 * width),
      top: Math.round(0.1 * height),
      width: Math.round(0.8 * width),
      height: Math.round(0.8 * height),
    }),
  /** A quarter of each side. */
  quarter: (picture, width) => picture.resize(Math.max(32, Math.round(width / 4))),
  mirrored: (picture) => picture.flop(),
};
