import type { PhotoFormat } from '../formats/photoFormats.ts';

/** Longer side of a preview, in pixels (decisions.md, "Media items"). */
export const previewSize = 1440;

/** JPEG quality of a preview. */
export const previewQuality = 80;

/** An encoded picture and its size in pixels. */
export interface EncodedPicture {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The decoded picture of a photo, upright and on white; thumbnail and placeholder are made of it. */
export interface PhotoPreview {
  /** Pixels of the original, after orientation. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  /** JPEG, longer side at most 1440 px, without metadata; of an animation its first frame. */
  readonly still: EncodedPicture;
  /** Whether `still` carries a colour profile. */
  readonly hasProfile: boolean;
  /** WebP of the same or a smaller size, of an animation only. */
  readonly moving?: EncodedPicture;
  /** `DAMAGED`: shown as far as it can be read, some of it is missing or wrong. */
  readonly warnings: readonly 'DAMAGED'[];
}

/** A file for a decoder, and its limits. */
export interface PhotoSource {
  readonly path: string;
  readonly format: PhotoFormat;
  /** Larger pictures are refused by their header, before a pixel is decoded. */
  readonly maxPixels: number;
  /** If the file is a preview that was taken out of a RAW file: that file's stored size in pixels and its orientation (EXIF 1–8). */
  readonly within?: { readonly width: number; readonly height: number; readonly orientation: number };
}

/** The size of a picture after it was turned upright by this orientation. */
export const orientSize = (
  { width, height }: { readonly width: number; readonly height: number },
  orientation: number,
): { width: number; height: number } => (orientation >= 5 ? { width: height, height: width } : { width, height });

/** How a picture is mirrored left to right and then turned clockwise to stand upright. */
export interface Rotation {
  readonly degrees: 0 | 90 | 180 | 270;
  readonly mirrored: boolean;
}

/** How a picture of an orientation is turned (EXIF 2.32, tag 0x0112); unknown ones stand upright. */
export const rotationOf = (orientation: number): Rotation => rotations[orientation] ?? { degrees: 0, mirrored: false };

const rotations: Readonly<Record<number, Rotation>> = {
  2: { degrees: 0, mirrored: true },
  3: { degrees: 180, mirrored: false },
  4: { degrees: 180, mirrored: true },
  5: { degrees: 270, mirrored: true },
  6: { degrees: 90, mirrored: false },
  7: { degrees: 90, mirrored: true },
  8: { degrees: 270, mirrored: false },
};
