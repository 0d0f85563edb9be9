import sharp from 'sharp';

/** Reads the pixels of a picture like a decoder for models: upright, in sRGB, with a longer side of at most `side` pixels. */
export const readTestPixels = async (
  picture: string | Buffer,
  side: number,
): Promise<{ readonly data: Buffer; readonly width: number; readonly height: number }> => {
  const { data, info } = await sharp(picture)
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
};
