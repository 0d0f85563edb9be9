import sharp from 'sharp';
import { drawScene } from './drawScene.ts';

/** A thumbnail as workers make them: a WebP of 320 × 240 pixels, another for each seed. */
export const drawThumbnail = async (seed: number): Promise<Buffer> => {
  const { pixels, width, height } = await drawScene(seed, 320, 240);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .webp({ quality: 75 })
    .toBuffer();
};
