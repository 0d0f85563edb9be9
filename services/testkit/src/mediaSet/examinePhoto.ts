import { basename } from 'node:path';
import sharp from 'sharp';
import { DecodeError } from '@hearth/worker/media/errors/decodeError.ts';
import type { Decoders } from '@hearth/worker/media/decoder/decoderPool.ts';
import type { Exiftool } from '@hearth/worker/media/exiftool/exiftool.ts';
import { readMetadata, type PhotoMetadata } from '@hearth/worker/media/metadata/readMetadata.ts';
import { photoFormats } from '@hearth/worker/media/formats/photoFormats.ts';
import type { RenderedPhoto } from '@hearth/worker/media/photo/renderPhoto.ts';
import { renderStill } from '@hearth/worker/media/previews/renderStill.ts';
import { computeDHash, hashDistance } from '../pictures/dHash.ts';
import type { TestPhoto } from './mediaSet.ts';
import { readProfileName } from '../pictures/profileName.ts';
import { rotations } from '../media/testPhotos.ts';

/** Results of the worker's code for a test photo. */
export interface PhotoFindings {
  readonly metadata: PhotoMetadata;
  readonly rendering: RenderedPhoto | DecodeError;
  /** Name of the preview's colour profile, or of the original's profile if a grey or CMYK original was converted. */
  readonly profileName: string | undefined;
  /**
   * Number of differing bits, of 64, between the hash of the thumbnail and the hash of a reference. Sharp decodes the
   * reference, which is then rotated as the manifest states. Undefined for formats that sharp cannot decode.
   */
  readonly thumbnailDistance: number | undefined;
}

/** Reads metadata and renders a test photo, in a time zone that no test photo was taken in. */
export async function examinePhoto(
  { path, expected }: TestPhoto,
  tools: { decoders: Decoders; exiftool: Exiftool; scratchDirectory: string },
): Promise<PhotoFindings> {
  const metadata = readMetadata(await tools.exiftool.read(path, expected.mimeType), {
    filename: basename(path),
    timeZone: 'Pacific/Chatham',
    uploadedAt: new Date(),
  });
  const rendering = await renderStill(path, tools).catch((error: unknown) => {
    if (error instanceof DecodeError) return error;
    throw error;
  });
  if (rendering instanceof DecodeError) {
    return { metadata, rendering, profileName: undefined, thumbnailDistance: undefined };
  }
  const isReadBySharp = photoFormats[rendering.format].decoder === 'sharp';
  const { icc } = await sharp(isReadBySharp && !(await isRgb(path)) ? path : rendering.preview.bytes).metadata();
  const orientation = expected.uncertain?.includes('orientation') ? 1 : expected.orientation;
  return {
    metadata,
    rendering,
    profileName: icc && readProfileName(icc),
    thumbnailDistance: isReadBySharp
      ? hashDistance(await computeDHash(rendering.thumbnail.bytes), await decodeReference(path, orientation))
      : undefined,
  };
}

const isRgb = async (path: string): Promise<boolean> =>
  ['srgb', 'rgb16'].includes((await sharp(path, { failOn: 'none' }).metadata()).space);

/** Decodes without shrink-on-load and without automatic rotation, because these are under test. */
async function decodeReference(path: string, orientation = 1): Promise<bigint> {
  const { mirrored, degrees } = rotations[orientation - 1]!;
  const small = await sharp(path, { failOn: 'none', unlimited: true })
    .resize(640, 640, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: false })
    .flatten({ background: 'white' })
    .flop(mirrored)
    .png({ compressionLevel: 0 })
    .toBuffer();
  return computeDHash(await sharp(small).rotate(degrees).png({ compressionLevel: 0 }).toBuffer());
}
