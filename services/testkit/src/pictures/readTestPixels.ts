import sharp from 'sharp';

/** The pixels of a picture, a file or its bytes, upright, in sRGB and with a longer side of at most `side`: as a decoder gives them to models. */
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
