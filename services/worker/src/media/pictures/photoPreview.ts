import type { PhotoFormat } from '../formats/photoFormats.ts';

/** Longer side of a preview, in pixels. */
export const previewSize = 1440;

export const previewQuality = 80;

/** An encoded picture and its size in pixels. */
export interface EncodedPicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Preview of a photo, upright and on white. Thumbnail and placeholder are made from the preview. */
export interface PhotoPreview {
  /** Upright size of the original, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** JPEG, longer side at most 1440 px, without metadata. For an animation, its first frame. */
  readonly still: EncodedPicture;
  /** True if `still` has a colour profile. */
  readonly hasProfile: boolean;
  /** WebP of the same or a smaller size, only for animations. */
  readonly moving?: EncodedPicture;
  /** `DAMAGED`: part of the picture is missing or wrong. */
  readonly warnings: readonly 'DAMAGED'[];
}

/** A file for a decoder, and its limits. */
export interface PhotoSource {
  readonly path: string;
  readonly format: PhotoFormat;
  /** Larger pictures are rejected by their header, before pixels are decoded. */
  readonly maxPixels: number;
  /** For a preview extracted from a RAW file: stored size in pixels and orientation (EXIF, 1 to 8) of the RAW file. */
  readonly within?: { readonly width: number; readonly height: number; readonly orientation: number };
}

/** Returns the upright size of a picture with this orientation. */
export const orientSize = (
  { width, height }: { readonly width: number; readonly height: number },
  orientation: number,
): { width: number; height: number } => (orientation >= 5 ? { width: height, height: width } : { width, height });

/** Mirrors left to right, then rotates clockwise, to make a picture upright. */
export interface Rotation {
  readonly degrees: 0 | 90 | 180 | 270;
  readonly mirrored: boolean;
}

/** Returns the rotation for an EXIF orientation (EXIF 2.32, tag 0x0112), none for unknown values. */
export const getRotation = (orientation: number): Rotation => rotations[orientation] ?? { degrees: 0, mirrored: false };

const rotations: Readonly<Record<number, Rotation>> = {
  2: { degrees: 0, mirrored: true },
  3: { degrees: 180, mirrored: false },
  4: { degrees: 180, mirrored: true },
  5: { degrees: 270, mirrored: true },
  6: { degrees: 90, mirrored: false },
  7: { degrees: 90, mirrored: true },
  8: { degrees: 270, mirrored: false },
};
