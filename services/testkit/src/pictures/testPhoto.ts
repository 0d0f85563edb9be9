import { createHash } from 'node:crypto';
import type { Exif } from 'sharp';

export interface TestPhotoOptions {
  /** The same seed gives the same bytes, different seeds different ones. */
  readonly seed: number;
  readonly width?: number;
  readonly height?: number;
  readonly format?: 'jpeg' | 'png' | 'webp';
  /** EXIF capture time, `2022:04:03 12:56:11`. Default: none. */
  readonly takenAt?: string;
  /** Whole degrees, north and east. Default: none. */
  readonly position?: { readonly latitude: number; readonly longitude: number };
  /** Further EXIF. Default: none. */
  readonly exif?: Exif;
}

/** Makes an abstract photo, quickly and identically on every machine: a plain background with a few blocks of colour. */
export const makeTestPhoto = async (options: TestPhotoOptions): Promise<Buffer> => {
  const { seed, width = 640, height = 480, format = 'jpeg', takenAt, position, exif } = options;
  const { default: sharp } = await import('sharp');
  const next = randomBytes(seed);
  const blocks = Array.from({ length: 6 }, () => ({
    input: {
      create: {
        width: 8 + (next() % 56),
        height: 8 + (next() % 56),
        channels: 3,
        background: { r: next(), g: next(), b: next() },
      },
    } as const,
    left: Math.floor((next() / 256) * Math.max(1, width - 64)),
    top: Math.floor((next() / 256) * Math.max(1, height - 64)),
  })).filter(({ input }) => input.create.width <= width && input.create.height <= height);
  const background = { r: next(), g: next(), b: next() };
  const picture = sharp({ create: { width, height, channels: 3, background } }).composite(blocks);
  if (takenAt !== undefined) picture.withExif({ IFD2: { DateTimeOriginal: takenAt } });
  if (position !== undefined)
    picture.withExifMerge({
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: `${position.latitude}/1 0/1 0/1`,
        GPSLongitudeRef: 'E',
        GPSLongitude: `${position.longitude}/1 0/1 0/1`,
      },
    });
  if (exif !== undefined) picture.withExifMerge(exif);
  return picture[format]().toBuffer();
};

/** Returns a generator of bytes 0–255: SHA-256 hashes of the seed with a counter. */
const randomBytes = (seed: number): (() => number) => {
  let pool: number[] = [];
  let counter = 0;
  return () => {
    if (pool.length === 0) pool = [...createHash('sha256').update(`${seed}/${counter++}`).digest()];
    return pool.pop() ?? 0;
  };
};
