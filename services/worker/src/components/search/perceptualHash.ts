import type { PictureFeatures } from './pictureHashes.ts';
import { measureSharpness } from '@hearth/inference/faces/measureSharpness.ts';
import { resizePixels } from '@hearth/inference/pixels/resizePixels.ts';
import type { RgbPixels } from '@hearth/inference/pixels/rgbPixels.ts';

/** Side of the grey picture that is hashed, in pixels, and side of the block of its lowest frequencies. */
const [sideLength, hashSide] = [32, 8];

/** Minimum standard deviation of the brightness (0 to 255). Below it, the frequencies are mostly noise. */
const minContrast = 4;

/** Returns the visual features of a picture with a longer side of 640 pixels, or undefined if it has almost no contrast. */
export const computePictureFeatures = (picture: RgbPixels): PictureFeatures | undefined => {
  const grey = toGrey(resizePixels(picture, sideLength, sideLength));
  if (computeDeviation(grey) < minContrast) return undefined;
  return { hash: computeHash(grey), sharpness: measureSharpness(picture) };
};

/**
 * Computes a perceptual hash (pHash). Each bit is 1 if one of the 63 lowest frequencies of the discrete cosine transform, without the mean, is greater
 * than their median. Size, quality, brightness and contrast hardly change the hash.
 * @param grey [32 × 32], row by row
 */
const computeHash = (grey: Float64Array): bigint => {
  const frequencies: number[] = [];
  for (let v = 0; v < hashSide; v += 1)
    for (let u = 0; u < hashSide; u += 1) if (u + v > 0) frequencies.push(computeFrequency(grey, u, v));
  const median = frequencies.toSorted((a, b) => a - b)[frequencies.length >> 1]!;
  return frequencies.reduce((hash, value) => (hash << 1n) | (value > median ? 1n : 0n), 0n);
};

const cosineTable = Array.from({ length: hashSide }, (_, frequency) =>
  Float64Array.from({ length: sideLength }, (_, at) =>
    Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * sideLength)),
  ),
);

/** Computes one DCT-II coefficient, up to a common factor. Those of the first row and column are √2 times the orthonormal ones. */
const computeFrequency = (grey: Float64Array, u: number, v: number): number => {
  let sum = 0;
  for (let y = 0; y < sideLength; y += 1)
    for (let x = 0; x < sideLength; x += 1)
      sum += grey[y * sideLength + x]! * cosineTable[u]![x]! * cosineTable[v]![y]!;
  return sum;
};

/** Returns the luma (ITU-R BT.601), 0 to 255. */
const toGrey = ({ data }: RgbPixels): Float64Array =>
  Float64Array.from(
    { length: data.length / 3 },
    (_, i) => 0.299 * data[3 * i]! + 0.587 * data[3 * i + 1]! + 0.114 * data[3 * i + 2]!,
  );

const computeDeviation = (values: Float64Array): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};
