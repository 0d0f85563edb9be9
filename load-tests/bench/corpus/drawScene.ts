import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import sharp from 'sharp';

/** Pixels are raw 8-bit RGB, row by row. */
export interface Scene {
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a synthetic scene with the statistics of a photograph. It has a smooth sky, ground with detail at every scale,
 * a hard edge between them, slow colour gradients and sensor noise. The same seed gives the same scene. The detail
 * spectrum follows D. J. Field (1987).
 */
export const drawScene = async (seed: number, width: number, height: number): Promise<Scene> => {
  const random = createRandom(seed);
  const layer = (cellPx: number): Promise<Buffer> => drawNoise(random.between(1, 2 ** 31), width, height, cellPx);
  const terrain = await layer(900);
  const [redness, blueness] = [await layer(500), await layer(700)];
  const detail = new Float32Array(width * height);
  for (const cellPx of detailCellsPx) {
    const noise = await layer(cellPx);
    const weight = cellPx ** fallOff;
    for (let index = 0; index < detail.length; index++) detail[index]! += (noise[index]! - 128) * weight;
  }
  const sky = [random.between(90, 150), random.between(140, 190), random.between(190, 240)] as const;
  const ground = [random.between(60, 140), random.between(70, 130), random.between(40, 100)] as const;
  const strength = random.between(0.1, 0.2);
  const grain = createNoise(seed);
  const pixels = Buffer.allocUnsafe(width * height * 3);
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const isSky = y < height * 0.25 + terrain[index]! * 1.6;
      const colour = isSky ? sky : ground;
      const light = isSky ? 60 * (y / height - 0.2) + detail[index]! * 0.012 : detail[index]! * strength;
      const grainHere = grain();
      for (let channel = 0; channel < 3; channel++) {
        const hue = channel === 0 ? redness[index]! - 128 : channel === 2 ? blueness[index]! - 128 : 0;
        const noise = (((grainHere >>> (channel * 8)) & 255) / 127.5 - 1) * grainAmplitude;
        const value = colour[channel]! + light + hue * 0.3 + noise;
        pixels[index * 3 + channel] = value < 0 ? 0 : value > 255 ? 255 : value;
      }
    }
  }
  return { pixels, width, height };
};

/** Grid spacing of each detail layer, in pixels. */
const detailCellsPx = [2, 4, 8, 16, 32, 64, 128, 256] as const;

/** Exponent of the layer weight: weight = cell size ^ fallOff. */
const fallOff = 0.2;

/** Amplitude of the noise of a phone sensor in daylight, in levels of 0 to 255. */
const grainAmplitude = 4;

/** Draws one noise layer: random values on a grid, interpolated with a cubic kernel. */
const drawNoise = async (seed: number, width: number, height: number, cellPx: number): Promise<Buffer> => {
  const grid = { width: Math.ceil(width / cellPx) + 1, height: Math.ceil(height / cellPx) + 1, channels: 1 } as const;
  const next = createNoise(seed);
  const values = Buffer.from(Uint8Array.from({ length: grid.width * grid.height }, next));
  return sharp(values, { raw: grid })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
};

/** Marsaglia's xorshift32: fast enough for millions of pixels. */
const createNoise = (seed: number): (() => number) => {
  let state = (Math.floor(seed) ^ 0x9e37_79b9) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
};

/** Draws a thumbnail like those of workers: WebP, 320 × 240 pixels. Each seed gives a different one. */
export const drawThumbnail = async (seed: number): Promise<Buffer> => {
  const { pixels, width, height } = await drawScene(seed, 320, 240);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .webp({ quality: 75 })
    .toBuffer();
};
