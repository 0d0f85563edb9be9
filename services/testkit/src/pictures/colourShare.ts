import sharp from 'sharp';

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Maximum difference per channel, for the effects of a screen and of compression. */
const tolerance = 6;

/** Returns the share of pixels with a colour, 0 to 1. */
export const colourShare = async (picture: Buffer, colour: Colour): Promise<number> => {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let found = 0;
  for (let at = 0; at < data.length; at += 3)
    if (colour.every((value, channel) => Math.abs(data[at + channel]! - value) <= tolerance)) found += 1;
  return found / (info.width * info.height);
};

/** Makes a square PNG of one colour. */
export const makePlainPicture = ([r, g, b]: Colour, sizePx: number): Promise<Buffer> =>
  sharp({ create: { width: sizePx, height: sizePx, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
