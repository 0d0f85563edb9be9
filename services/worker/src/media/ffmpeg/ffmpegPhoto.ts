import { readFile, stat } from 'node:fs/promises';
import { AV_FRAME_DATA_ICC_PROFILE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { DecodeError, checkPixels } from '../errors/decodeError.ts';
import type { PhotoFormat } from '../formats/photoFormats.ts';
import { previewSize, type PhotoPreview, type PhotoSource } from '../pictures/photoPreview.ts';
import { renderPixelPreview } from '../pictures/pixelPreview.ts';
import { hasAlphaPlane, toPixels } from './framePixels.ts';
import { openDecoder, type DecoderOptions } from './openDecoder.ts';
import { readHeaderSize } from './headerSize.ts';

/** Maximum file size: the whole file is held in memory. A bitmap of 108 megapixels has 324 MB. */
const maxFileBytes = 512 * 1024 * 1024;

/** Makes the preview of a JPEG XL, a JPEG 2000, a bitmap or a Photoshop file. @throws DecodeError CORRUPT, TOO_LARGE or UNSUPPORTED */
export async function previewWithFfmpeg({ path, format, maxPixels }: PhotoSource): Promise<PhotoPreview> {
  if ((await stat(path)).size > maxFileBytes) throw new DecodeError('TOO_LARGE', 'The file is too large to open.');
  const bytes = await readFile(path);
  const statedSize = readHeaderSize(format, bytes);
  if (statedSize !== undefined) checkPixels(statedSize, maxPixels);
  const halvings = format === 'jp2' && statedSize !== undefined ? countHalvings(statedSize) : 0;
  using frame = await decodeFirst(bytes, format, { maxPixels, halvings });
  const hasAlpha = hasAlphaPlane(frame.format);
  return await renderPixelPreview(await toPixels(frame, { hasAlpha }), {
    ...(halvings > 0 && statedSize !== undefined ? statedSize : { width: frame.width, height: frame.height }),
    rotation: { degrees: 0, mirrored: false },
    icc: frame.getSideData(AV_FRAME_DATA_ICC_PROFILE) ?? undefined,
    hasAlpha,
    isDamaged: false,
  });
}

/** Returns the number of halvings, at most 5, after which a picture is still at least as large as a preview. */
const countHalvings = ({ width, height }: { width: number; height: number }): number =>
  Math.min(5, Math.max(0, Math.floor(Math.log2(Math.max(width, height) / previewSize))));

/** Decodes the first frame. Decodes a file with fewer resolution levels than requested at full size. */
async function decodeFirst(bytes: Buffer, format: PhotoFormat, options: DecoderOptions): Promise<Frame> {
  try {
    using decoder = openDecoder(format, options);
    const [frame] = await decoder.decode(bytes);
    return frame!;
  } catch (error) {
    if (!(options.halvings ?? 0)) throw error;
    return decodeFirst(bytes, format, { ...options, halvings: 0 });
  }
}
