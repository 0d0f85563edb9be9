import sharp from 'sharp';
import type { Colour } from './colourShare.ts';

/** A square PNG of one colour. */
export const makePlainPicture = ([r, g, b]: Colour, sizePx: number): Promise<Buffer> =>
  sharp({ create: { width: sizePx, height: sizePx, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer();
