import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DecodeError } from './decodeError.ts';
import type { Decoders } from './decoderPool.ts';
import type { Exiftool } from './exiftool.ts';
import { findNumber, findText, type MediaTags } from './mediaTags.ts';
import type { PhotoSource } from './photoPreview.ts';
import type { RenderedPhoto } from './renderPhoto.ts';

/** What a RAW file is opened with. */
export interface RawTools {
  readonly decoders: Decoders;
  readonly exiftool: Exiftool;
  /** Where previews are put for a moment. */
  readonly scratchDirectory: string;
}

/**
 * Renders a RAW file by the largest preview in it that can be shown; its size is that of the RAW picture.
 * @throws DecodeError NO_PIXELS where there is none, and whatever else has kept the last one tried from being shown.
 */
export async function renderRawPhoto(path: string, tools: RawTools): Promise<RenderedPhoto> {
  const tags = await tools.exiftool.readTags(path, readArguments);
  const within = readFrame(tags);
  let damaged: RenderedPhoto | undefined;
  for (const tag of listPreviews(tags)) {
    const photo = await renderTag(path, tag, within, tools);
    if (photo === undefined || Math.max(photo.preview.width, photo.preview.height) < smallestPreview) continue;
    if (photo.warnings.length === 0) return { ...photo, format: 'raw' };
    damaged ??= photo;
  }
  if (damaged !== undefined) return { ...damaged, format: 'raw' };
  throw new DecodeError('NO_PIXELS', 'The camera has put no picture into this file that can be shown.');
}

/** Tags that hold previews, in the words of exiftool.org/TagNames. */
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

/** Of a preview's longer side, in pixels: some cameras write a dummy of 8 × 8. */
const smallestPreview = 100;

/** Bytes of the largest preview that is taken out: that of a camera of 150 megapixels has 60 MB. */
const maxPreviewBytes = 200e6;

/** How many of a file's previews are tried; no camera writes more than four. */
const maxPreviews = 6;

/** The tags of the previews in a file, the largest first: exiftool tells of binary values how long they are. */
function listPreviews(tags: MediaTags): string[] {
  return Object.entries(tags)
    .flatMap(([tag, value]) => {
      const length = Number(/^\(Binary data (\d+) bytes/.exec(String(value))?.[1] ?? 0);
      const isPreview = previewTags.some((name) => tag.endsWith(`:${name}`));
      // What is not compressed is large without showing more.
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

/** Undefined where this preview cannot be shown. @throws DecodeError that another try may mend, and TOO_LARGE */
async function renderTag(
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
