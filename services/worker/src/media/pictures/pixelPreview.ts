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

/** Properties of the picture that the pixels come from. */
export interface PixelOrigin {
  /** Size of the stored picture, in pixels. Fewer pixels may have been decoded. */
  readonly width: number;
  readonly height: number;
  /** Makes the pixels upright. */
  readonly rotation: Rotation;
  readonly icc: Buffer | undefined;
  /** True if the fourth channel is alpha. False if it has no meaning or is missing. */
  readonly hasAlpha: boolean;
  readonly isDamaged: boolean;
}

/** Makes a preview from decoded pixels, upright and on white. */
export async function renderPixelPreview(pixels: Pixels, origin: PixelOrigin): Promise<PhotoPreview> {
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
