import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { Rotation } from '../pictures/photoPreview.ts';

/** Size and orientation of a video's pictures. */
export interface VideoShape {
  /** In square pixels, before rotation. Non-square pixels enlarge one side, so that no detail is lost. */
  readonly width: number;
  readonly height: number;
  /** Makes the pictures upright. */
  readonly rotation: Rotation;
}

/** Larger pixel aspect ratios are invalid, and replaced by square pixels. */
const maxPixelRatio = 4;

export function getVideoShape({ codecpar, sampleAspectRatio }: Stream): VideoShape {
  const { width, height } = codecpar;
  // The container's value takes precedence over the codec's, as in browsers.
  const { num, den } = sampleAspectRatio.num > 0 ? sampleAspectRatio : codecpar.sampleAspectRatio;
  const stated = num > 0 && den > 0 ? num / den : 1;
  const ratio = stated > maxPixelRatio || stated < 1 / maxPixelRatio ? 1 : stated;
  return {
    width: ratio > 1 ? Math.round(width * ratio) : width,
    height: ratio < 1 ? Math.round(height / ratio) : height,
    rotation: readRotation(codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX)),
  };
}

/**
 * Reads the rotation of a display matrix `a b u, c d v, x y w`, which maps a point to `a·x + c·y, b·x + d·y` (ISO/IEC 14496-12, 6.2.2). Rounds to
 * right angles.
 */
function readRotation(matrix: Buffer | null): Rotation {
  if (matrix === null || matrix.length < 36) return { degrees: 0, mirrored: false };
  // FFmpeg stores the matrix in the machine's byte order.
  const [a, b, c, d] = [0, 4, 12, 16].map((at) => matrix.readInt32LE(at)) as [number, number, number, number];
  const mirrored = a * d - b * c < 0;
  const angle = (Math.atan2(mirrored ? -b : b, mirrored ? -a : a) * 180) / Math.PI;
  const quarters = ((Math.round(angle / 90) % 4) + 4) % 4;
  return { degrees: ([0, 90, 180, 270] as const)[quarters]!, mirrored };
}
