import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { Turn } from '../photoPreview.ts';

/** How the pictures of a video are shown. */
export interface VideoShape {
  /** Pixels as stored, made square: the side along which they are too short is lengthened, so that none is lost. */
  readonly width: number;
  readonly height: number;
  /** How they are turned to stand upright. */
  readonly turn: Turn;
}

/** Pixels that are longer than this in one direction are somebody's mistake: they are taken for square. */
const maxPixelRatio = 4;

export function shapeOf({ codecpar, sampleAspectRatio }: Stream): VideoShape {
  const { width, height } = codecpar;
  // The container's word counts before the codec's, as in browsers.
  const { num, den } = sampleAspectRatio.num > 0 ? sampleAspectRatio : codecpar.sampleAspectRatio;
  const stated = num > 0 && den > 0 ? num / den : 1;
  const ratio = stated > maxPixelRatio || stated < 1 / maxPixelRatio ? 1 : stated;
  return {
    width: ratio > 1 ? Math.round(width * ratio) : width,
    height: ratio < 1 ? Math.round(height / ratio) : height,
    turn: readTurn(codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)),
  };
}

/**
 * How a display matrix turns: `a b u, c d v, x y w` take a point to `a·x + c·y, b·x + d·y` (ISO/IEC 14496-12, 6.2.2). Angles between the
 * right ones are taken for the nearest of these.
 */
function readTurn(matrix: Buffer | null): Turn {
  if (matrix === null || matrix.length < 36) return { degrees: 0, mirrored: false };
  // FFmpeg stores it as the machine stores numbers.
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => matrix.readInt32LE(at)) as [number, number, number, number];
  const mirrored = a * d - b * c < 0;
  const angle = (Math.atan2(mirrored ? -b : b, mirrored ? -a : a) * 180) / Math.PI;
  const quarters = ((Math.round(angle / 90) % 4) + 4) % 4;
  return { degrees: ([0, 90, 180, 270] as const)[quarters]!, mirrored };
}
