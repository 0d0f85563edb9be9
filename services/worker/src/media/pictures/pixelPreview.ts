import sharp from 'sharp';
import { embedProfile, isSmallRgbProfile } from './jpegProfile.ts';
import { orientSize, previewQuality, previewSize, type PhotoPreview, type Rotation } from './photoPreview.ts';

/** Decoded pixels from a decoder other than sharp. */
export interface Pixels {
  /** RGB or RGBA, 8 bits each, row by row without gaps. */
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

/** What is known of a picture besides its pixels. */
export interface PixelOrigin {
  /** Pixels of the whole stored picture; the decoded ones may be fewer. */
  readonly width: number;
  readonly height: number;
  /** How the pixels are turned to stand upright. */
  readonly rotation: Rotation;
  readonly icc: Buffer | undefined;
  /** Whether the fourth channel, if there is one, is alpha. */
  readonly hasAlpha: boolean;
  readonly isDamaged: boolean;
}

/** Makes the preview of decoded pixels, upright and on white. */
export async function previewOfPixels(pixels: Pixels, origin: PixelOrigin): Promise<PhotoPreview> {
  const { width, height, channels } = pixels;
  const { rotation, icc, hasAlpha } = origin;
  let pipeline = sharp(pixels.data, { raw: { width, height, channels } })
    .resize(previewSize, previewSize, { fit: 'inside', withoutEnlargement: true })
    .flop(rotation.mirrored)
    .rotate(rotation.degrees);
  if (channels === 4) pipeline = hasAlpha ? pipeline.flatten({ background: 'white' }) : pipeline.removeAlpha();
  const { data, info } = await pipeline
    .jpeg({ quality: previewQuality, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true });
  const hasProfile = icc !== undefined && isSmallRgbProfile(icc);
  return {
    ...orientSize(origin, rotation.degrees % 180 === 90 ? 6 : 1),
    hasAlpha,
    still: { bytes: hasProfile ? embedProfile(data, icc) : data, width: info.width, height: info.height },
    hasProfile,
    warnings: origin.isDamaged ? ['DAMAGED'] : [],
  };
}
