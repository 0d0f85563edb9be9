import type { RgbPixels } from '../pixels/rgbPixels.ts';
import { samplePixels, type Point } from '../pixels/samplePixels.ts';

/** Side of an aligned face, in pixels. */
export const alignedSide = 112;

/**
 * Eyes, nose and corners of the mouth in an aligned face, in pixels: the template of ArcFace
 * (https://arxiv.org/abs/1801.07698).
 */
const template: readonly Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];

/**
 * A similarity transform: maps a point p, as a complex number, to turn × p + move. `turn` rotates and scales, `move`
 * translates.
 */
export interface Similarity {
  readonly turn: Point;
  readonly move: Point;
}

/** Returns the pixels of the picture per pixel of the aligned face. Below 1 the face is enlarged. */
export const pixelsPerPixel = (landmarks: readonly Point[]): number => {
  const { turn } = fitSimilarity(template, landmarks);
  return Math.hypot(turn.x, turn.y);
};

/**
 * Rotates, scales and moves a face to the position that the embedding model was trained with. Landmarks are in pixels
 * of the picture.
 */
export function alignFace(pixels: RgbPixels, landmarks: readonly Point[]): RgbPixels {
  const { turn, move } = fitSimilarity(template, landmarks);
  return samplePixels(pixels, {
    origin: move,
    right: turn,
    down: { x: -turn.y, y: turn.x },
    width: alignedSide,
    height: alignedSide,
    outside: 'black',
  });
}

/** Returns the similarity transform without mirroring that maps `from` closest to `to`, by least squares. */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const [source, target] = [computeMean(from), computeMean(to)];
  let [real, imaginary, size] = [0, 0, 0];
  for (const [i, point] of from.entries()) {
    const [px, py] = [point.x - source.x, point.y - source.y];
    const [qx, qy] = [to[i]!.x - target.x, to[i]!.y - target.y];
    real += px * qx + py * qy;
    imaginary += px * qy - py * qx;
    size += px * px + py * py;
  }
  const turn = { x: real / size, y: imaginary / size };
  return {
    turn,
    move: {
      x: target.x - (turn.x * source.x - turn.y * source.y),
      y: target.y - (turn.y * source.x + turn.x * source.y),
    },
  };
}

const computeMean = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
