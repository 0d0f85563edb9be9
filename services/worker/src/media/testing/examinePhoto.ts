import { basename } from 'node:path';
import sharp from 'sharp';
import { DecodeError } from '../decodeError.ts';
import type { DecoderPool } from '../decoderPool.ts';
import type { Exiftool } from '../exiftool.ts';
import { readMetadata, type PhotoMetadata } from '../readMetadata.ts';
import type { RenderedPhoto } from '../renderPhoto.ts';
import { dHash, hashDistance } from './dHash.ts';
import type { TestPhoto } from './mediaSet.ts';
import { turns } from './testPhotos.ts';

/** What this code makes of a test photo. */
export interface PhotoFindings {
  readonly metadata: PhotoMetadata;
  readonly rendering: RenderedPhoto | DecodeError;
  /** Bits of 64 by which the thumbnail differs from a reference: all pixels decoded and turned as the manifest says. */
  readonly thumbnailDistance: number | undefined;
}

/** Runs a test photo through both doors, in a zone where nobody took any of them. */
export async function examinePhoto(
  { path, expected }: TestPhoto,
  { pool, exiftool }: { pool: DecoderPool; exiftool: Exiftool },
): Promise<PhotoFindings> {
  const metadata = readMetadata(await exiftool.read(path, expected.mimeType), {
    filename: basename(path),
    timeZone: 'Pacific/Chatham',
    uploadedAt: new Date(),
  });
  const rendering = await pool.renderPhoto(path).catch((error: unknown) => {
    if (error instanceof DecodeError) return error;
    throw error;
  });
  if (rendering instanceof DecodeError) return { metadata, rendering, thumbnailDistance: undefined };
  const reference = await decodeReference(path, expected.uncertain?.includes('orientation') ? 1 : expected.orientation);
  const thumbnailDistance = hashDistance(await dHash(rendering.thumbnail.bytes), reference);
  return { metadata, rendering, thumbnailDistance };
}

/** Neither shrink-on-load nor automatic turning, which are what is judged. */
async function decodeReference(path: string, orientation = 1): Promise<bigint> {
  const { mirrored, degrees } = turns[orientation - 1]!;
  const small = await sharp(path, { failOn: 'none', unlimited: true })
    .resize(640, 640, { fit: 'inside', withoutEnlargement: true, fastShrinkOnLoad: false })
    .flatten({ background: 'white' })
    .flop(mirrored)
    .png({ compressionLevel: 0 })
    .toBuffer();
  return dHash(await sharp(small).rotate(degrees).png({ compressionLevel: 0 }).toBuffer());
}
