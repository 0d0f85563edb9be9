import sharp from 'sharp';
import type { RgbPixels } from '@hearth/worker/media/photo/readPixels.ts';

/** Encodes a photo like a camera that is held sideways: rotated, with an EXIF orientation. */
export const rotateSideways = async (photo: Buffer): Promise<Buffer> =>
  sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();

/** Makes a video frame that shows the photo. */
export const toFrame = async (photo: Buffer): Promise<Buffer> =>
  sharp(photo).resize(640, 960, { fit: 'cover' }).png().toBuffer();

/** Reads the pixels and the format of a stored picture. */
export const openPicture = async (bytes: Buffer): Promise<RgbPixels & { readonly format: string }> => {
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, format };
};
