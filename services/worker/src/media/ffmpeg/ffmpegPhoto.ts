import { readFile, stat } from 'node:fs/promises';
import {
  AV_CODEC_ID_BMP,
  AV_CODEC_ID_JPEG2000,
  AV_CODEC_ID_JPEGXL,
  AV_CODEC_ID_PSD,
  AV_FRAME_DATA_ICC_PROFILE,
} from 'node-av/constants';
import { DecodeError } from '../decodeError.ts';
import { checkPixels } from '../decodeLimits.ts';
import type { PhotoPreview, PhotoSource } from '../photoPreview.ts';
import { previewOfPixels } from '../pixelPreview.ts';
import { hasAlphaPlane, toPixels } from './framePixels.ts';
import { openDecoder } from './openDecoder.ts';
import { readHeaderSize } from './headerSize.ts';

const codecs = {
  jxl: AV_CODEC_ID_JPEGXL,
  jp2: AV_CODEC_ID_JPEG2000,
  bmp: AV_CODEC_ID_BMP,
  psd: AV_CODEC_ID_PSD,
} as const;

/** Bytes of a file at most: all of it is held in memory. A bitmap of 108 megapixels has 324 MB. */
const maxFileBytes = 512 * 1024 * 1024;

/** The preview of a JPEG XL, a JPEG 2000, a bitmap or a Photoshop file. @throws DecodeError CORRUPT, TOO_LARGE */
export async function previewWithFfmpeg({ path, format, maxPixels }: PhotoSource): Promise<PhotoPreview> {
  if ((await stat(path)).size > maxFileBytes) throw new DecodeError('TOO_LARGE', 'The file is too large to be opened.');
  const bytes = await readFile(path);
  const stated = readHeaderSize(format, bytes);
  if (stated !== undefined) checkPixels(stated, maxPixels);
  using decoder = openDecoder(codecs[format as keyof typeof codecs], { maxPixels });
  const [first] = await decoder.decode(bytes);
  using frame = first!;
  const hasAlpha = hasAlphaPlane(frame.format);
  return await previewOfPixels(await toPixels(frame, { hasAlpha }), {
    width: frame.width,
    height: frame.height,
    turn: { degrees: 0, mirrored: false },
    icc: frame.getSideData(AV_FRAME_DATA_ICC_PROFILE) ?? undefined,
    hasAlpha,
    isDamaged: false,
  });
}
