import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DecodeError } from '../errors/decodeError.ts';
import type { Decoders } from '../decoder/decoderPool.ts';
import type { Exiftool } from '../exiftool/exiftool.ts';
import { findNumber, findText, type MediaTags } from '../exiftool/mediaTags.ts';
import type { PhotoSource } from '../pictures/photoPreview.ts';
import type { RenderedPhoto } from '../photo/renderPhoto.ts';

export interface RawTools {
  readonly decoders: Decoders;
  readonly exiftool: Exiftool;
  /** Folder for extracted previews, which are deleted after use. */
  readonly scratchDirectory: string;
}

/**
 * Renders the largest intact preview in a RAW file, or else the largest damaged one. Width and height are those of the RAW picture.
 * @throws DecodeError NO_PIXELS without a decodable preview; retryable errors and TOO_LARGE of the decoder
 */
export async function renderRawPhoto(path: string, tools: RawTools): Promise<RenderedPhoto> {
  const tags = await tools.exiftool.readTags(path, readArguments);
  const within = readFrame(tags);
  let damaged: RenderedPhoto | undefined;
  for (const tag of listPreviews(tags)) {
    const photo = await renderEmbeddedPreview(path, tag, within, tools);
    if (photo === undefined || Math.max(photo.preview.width, photo.preview.height) < minPreviewSide) continue;
    if (photo.warnings.length === 0) return { ...photo, format: 'raw' };
    damaged ??= photo;
  }
  if (damaged !== undefined) return { ...damaged, format: 'raw' };
  throw new DecodeError('NO_PIXELS', 'This RAW file has no embedded picture.');
}

/** Tags that contain previews, by their names in exiftool.org/TagNames. */
const previewTags = [
  'PreviewImage',
  'JpgFromRaw',
  'JpgFromRaw2',
  'OtherImage',
  'ThumbnailImage',
  'PreviewTIFF',
] as const;

const readArguments = [
  '-G1',
  '-n',
  '-a',
  ...previewTags.map((tag) => `-${tag}`),
  '-Composite:ImageSize',
  '-Orientation',
];

/** Minimum longer side of a preview, in pixels: some cameras write a dummy of 8 × 8. */
const minPreviewSide = 100;

/** Maximum size of a preview. Those of 150-megapixel cameras have 60 MB. */
const maxPreviewBytes = 200e6;

/** Maximum number of previews to try. Cameras write up to four. */
const maxPreviews = 6;

/** Returns the tags of a file's previews, largest first. exiftool reports the lengths of binary values. */
function listPreviews(tags: MediaTags): string[] {
  return Object.entries(tags)
    .flatMap(([tag, value]) => {
      const length = Number(/^\(Binary data (\d+) bytes/.exec(String(value))?.[1] ?? 0);
      const isPreview = previewTags.some((name) => tag.endsWith(`:${name}`));
      // Uncompressed previews come last: they are large without showing more.
      const rank = tag.endsWith('TIFF') ? 0 : length;
      return isPreview && length > 0 && length <= maxPreviewBytes ? [{ tag, rank }] : [];
    })
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, maxPreviews)
    .map(({ tag }) => tag);
}

function readFrame(tags: MediaTags): PhotoSource['within'] {
  const [width = 0, height = 0] = findText(tags, 'Composite:ImageSize')?.split(' ').map(Number) ?? [];
  if (!(width > 0 && height > 0)) return undefined;
  return { width, height, orientation: findNumber(tags, ['IFD0:Orientation'], { min: 1, max: 8 }) ?? 1 };
}

/** Renders one preview; undefined if it cannot be decoded. @throws DecodeError for failures that may be retried, and TOO_LARGE */
async function renderEmbeddedPreview(
  path: string,
  tag: string,
  within: PhotoSource['within'],
  { decoders, exiftool, scratchDirectory }: RawTools,
): Promise<RenderedPhoto | undefined> {
  const target = join(scratchDirectory, `preview-${randomUUID()}`);
  try {
    await exiftool.extract(path, tag, target);
    return await decoders.renderPhoto(target, within);
  } catch (error) {
    if (error instanceof DecodeError && (error.code === 'CORRUPT' || error.code === 'UNSUPPORTED')) return undefined;
    throw error;
  } finally {
    await rm(target, { force: true });
  }
}
