import sharp from 'sharp';
import type { RgbPixels } from '@hearth/worker/media/photo/readPixels.ts';

/** The photo as a camera stores it that was held on its side: it lies, and says so. */
export const layDown = async (photo: Buffer): Promise<Buffer> =>
  sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();

/** A frame of a film that shows the photo. */
export const frameOf = async (photo: Buffer): Promise<Buffer> =>
  sharp(photo).resize(640, 960, { fit: 'cover' }).png().toBuffer();

/** The pixels of a stored picture, and its format. */
export const openPicture = async (bytes: Buffer): Promise<RgbPixels & { readonly format: string }> => {
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, format };
};
