import { findCaptureTime, type CaptureContext, type CaptureTime } from './captureTime.ts';
import { findNumber, findText, type MediaTags } from './mediaTags.ts';
import type { Position } from './utcOffset.ts';

/** What a photo's file says about itself; what it does not say is undefined. */
export interface PhotoMetadata {
  readonly captureTime: CaptureTime | undefined;
  readonly position: Position | undefined;
  readonly cameraMake: string | undefined;
  readonly cameraModel: string | undefined;
  /** Millimetres, of the lens itself and not of its 35 mm equivalent. */
  readonly focalLength: number | undefined;
  readonly apertureFNumber: number | undefined;
  /** Seconds. */
  readonly exposureTime: number | undefined;
  readonly isoEquivalent: number | undefined;
  /** EXIF 1–8: how the stored pixels must be turned to stand upright. */
  readonly orientation: number;
  /** Pixels after orientation, from the header of the pixels themselves (EXIF sizes often are those of an original). */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Millions of pixels, to two decimals. */
  readonly megapixels: number | undefined;
}

/** Makes sense of a photo's tags, as `openExiftool` reads them. Pure: the same input gives the same answer everywhere. */
export function readMetadata(tags: MediaTags, context: Omit<CaptureContext, 'position'>): PhotoMetadata {
  const position = readPosition(tags);
  const orientation = readOrientation(tags);
  const size = readSize(tags, orientation);
  return {
    captureTime: findCaptureTime(tags, { ...context, position }),
    position,
    cameraMake: findText(tags, 'IFD0:Make', 'XMP-tiff:Make'),
    cameraModel: findText(tags, 'IFD0:Model', 'XMP-tiff:Model'),
    focalLength: findNumber(tags, ['ExifIFD:FocalLength', 'XMP-exif:FocalLength'], lens),
    apertureFNumber: findNumber(tags, ['ExifIFD:FNumber', 'XMP-exif:FNumber'], lens),
    exposureTime: findNumber(tags, ['ExifIFD:ExposureTime', 'XMP-exif:ExposureTime'], shutter),
    isoEquivalent: findNumber(tags, isoTags, iso),
    orientation,
    width: size?.width,
    height: size?.height,
    megapixels: size && Math.round((size.width * size.height) / 1e4) / 100,
  };
}

/** Zero is what cameras write that cannot know (an old lens, no electronic contact); the rest keeps nonsense out. */
const lens = { min: 0.01, max: 100_000 };
const shutter = { min: 1e-7, max: 7 * 24 * 60 * 60 };
const iso = { min: 1, max: 10_000_000 };

/** Older cameras put the ISO value into their own notes only. */
const isoTags = ['ExifIFD:ISO', 'XMP-exif:ISO', 'Composite:ISO', 'Nikon:ISO', 'Pentax:ISO', 'Casio:ISO'];

/**
 * Empty tags give none; so does 0° 0′, in the Gulf of Guinea, which phones write that have no fix. exiftool's composite
 * tags have the sign of the hemisphere and are missing without one.
 */
function readPosition(tags: MediaTags): Position | undefined {
  const latitude = findNumber(tags, ['Composite:GPSLatitude', 'XMP-exif:GPSLatitude'], { min: -90, max: 90 });
  const longitude = findNumber(tags, ['Composite:GPSLongitude', 'XMP-exif:GPSLongitude'], { min: -180, max: 180 });
  if (latitude === undefined || longitude === undefined) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

/** Only the main picture's own: a 6 in the thumbnail's IFD is not the photo's, and 0 is no orientation. */
function readOrientation(tags: MediaTags): number {
  const orientation = findNumber(tags, ['IFD0:Orientation'], { min: 1, max: 8 });
  return orientation !== undefined && Number.isInteger(orientation) ? orientation : 1;
}

function readSize(tags: MediaTags, orientation: number): { width: number; height: number } | undefined {
  const pixels = { min: 1, max: 2 ** 31 };
  const width = findNumber(tags, ['File:ImageWidth', 'PNG:ImageWidth', 'RIFF:ImageWidth'], pixels);
  const height = findNumber(tags, ['File:ImageHeight', 'PNG:ImageHeight', 'RIFF:ImageHeight'], pixels);
  if (width === undefined || height === undefined) return undefined;
  // 5 to 8 turn the picture on its side.
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}
