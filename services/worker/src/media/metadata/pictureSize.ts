import { findNumber, findText, type MediaTags, toNumber } from '../exiftool/mediaTags.ts';
import { readVideoTrack } from './videoTags.ts';

/** Orientation of the stored pixels, and upright size of the picture. */
export interface PictureSize {
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  /** Upright, in pixels; undefined if the file does not state it. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** Reads the size from the header of the pixel data: EXIF often still has the size before editing. */
export function readPictureSize(tags: MediaTags): PictureSize {
  const track = readVideoTrack(tags);
  const orientation = track?.orientation ?? readOrientation(tags);
  const size = track ?? readStoredSize(tags);
  // 5 to 8 swap width and height.
  const [width, height] = orientation >= 5 ? [size?.height, size?.width] : [size?.width, size?.height];
  return { orientation, width, height };
}

/** Formats with an orientation box. The orientation in EXIF is a copy that readers must ignore (ISO/IEC 23008-12, 6.5.10). */
const typesRotatedByBox: ReadonlySet<string> = new Set(['HEIC', 'HEIF', 'HEICS', 'HEIFS', 'AVIF']);

/** Formats that decoders rotate upright, regardless of EXIF: JPEG XL stores its orientation in the code stream. */
const typesRotatedByDecoder: ReadonlySet<string> = new Set(['JXL', 'JXL Codestream']);

/** Reads only the orientation of the main picture, not that of the thumbnail's IFD. 0 means none. */
function readOrientation(tags: MediaTags): number {
  const type = findText(tags, 'File:FileType') ?? '';
  if (typesRotatedByBox.has(type)) return readBoxOrientation(tags);
  if (typesRotatedByDecoder.has(type)) return 1;
  const orientation = findNumber(tags, ['IFD0:Orientation'], { min: 1, max: 8 });
  return orientation !== undefined && Number.isInteger(orientation) ? orientation : 1;
}

/** `irot` rotates by counterclockwise quarter turns; then `imir` swaps top and bottom (0) or left and right (1). */
function readBoxOrientation(tags: MediaTags): number {
  const quarterTurns = findNumber(tags, ['QuickTime:Rotation'], { min: 0, max: 3 }) ?? 0;
  const axis = findNumber(tags, ['QuickTime:Mirroring'], { min: 0, max: 1 });
  const orientationsByMirror = { none: [1, 8, 3, 6], topBottom: [4, 5, 2, 7], leftRight: [2, 7, 4, 5] } as const;
  const row =
    axis === undefined
      ? orientationsByMirror.none
      : axis === 0
        ? orientationsByMirror.topBottom
        : orientationsByMirror.leftRight;
  return row[quarterTurns] ?? 1;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** exiftool's groups of the pixel data's header, one per format. */
const headerGroups = ['File', 'PNG', 'GIF', 'RIFF', 'Jpeg2000', 'PSD', 'IFD0'] as const;

function readStoredSize(tags: MediaTags): Size | undefined {
  if (isPreviewTiff(tags)) return findLargest(findRawSizes(tags)) ?? readSize(tags, 'IFD0');
  return headerGroups.map((group) => readSize(tags, group)).find((size) => size !== undefined);
}

/** File types of RAW files, whose first picture usually is a preview. */
const rawTypes =
  /^(3FR|ARI|ARQ|ARW|CR2|CR3|CRW|DCR|DNG|ERF|FFF|IIQ|K25|KDC|MEF|MOS|MRW|NEF|NRW|ORF|ORI|PEF|RAF|RAW|RW2|RWL|SR2|SRF|SRW|X3F)$/;

function isPreviewTiff(tags: MediaTags): boolean {
  const isReduced = toNumber(tags, 'IFD0:SubfileType') % 2 === 1;
  return isReduced || rawTypes.test(findText(tags, 'File:FileType') ?? '');
}

/**
 * Returns the crop size of a DNG. Otherwise returns the sizes of pictures that are not reduced copies (TIFF 6.0, NewSubfileType), EXIF's size, and
 * the size of the first picture.
 */
function findRawSizes(tags: MediaTags): Size[] {
  const directories = Object.keys(tags).flatMap((name) => {
    const group = /^((?:Sub)?IFD\d*):SubfileType$/.exec(name)?.[1];
    return group && toNumber(tags, name) === 0 ? group : [];
  });
  const cropped = directories.flatMap((group) => readCrop(tags, group) ?? []);
  if (cropped.length > 0) return cropped;
  return [
    ...directories.map((group) => readSize(tags, group)),
    readSize(tags, 'ExifIFD', 'ExifImage'),
    readSize(tags, 'IFD0'),
  ].flatMap((size) => size ?? []);
}

function readCrop(tags: MediaTags, group: string): Size | undefined {
  const [width, height] = (findText(tags, `${group}:DefaultCropSize`) ?? '').split(/\s+/);
  return toSize(Number(width), Number(height));
}

function readSize(tags: MediaTags, group: string, prefix = 'Image'): Size | undefined {
  return toSize(toNumber(tags, `${group}:${prefix}Width`), toNumber(tags, `${group}:${prefix}Height`));
}

/** Maximum side in pixels, limited by PostgreSQL's integer type. */
const maxSidePixels = 2 ** 31 - 1;

function toSize(width: number, height: number): Size | undefined {
  return isValidSide(width) && isValidSide(height)
    ? { width: Math.round(width), height: Math.round(height) }
    : undefined;
}

const isValidSide = (pixels: number): boolean => pixels >= 1 && pixels <= maxSidePixels;

function findLargest(sizes: readonly Size[]): Size | undefined {
  return sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0];
}
