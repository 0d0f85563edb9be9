import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findCaptureTime, type CaptureContext, type CaptureTime } from './time/captureTime.ts';
import { contentIdentifierTags, findCategory, findUnpairedCategory } from './category.ts';
import { findNumber, findText, type MediaTags } from '../exiftool/mediaTags.ts';
import { readPictureSize } from './pictureSize.ts';
import type { Position } from './time/utcOffset.ts';
import { readDuration, videoTrack } from './videoTags.ts';

/** The metadata of a photo or video; undefined where the file does not tell. */
export interface PhotoMetadata {
  /** `LIVE` for a possible half of a Live Photo. */
  readonly category: MediaItemRow['category'];
  /** The category while the other half is missing. */
  readonly unpairedCategory: MediaItemRow['category'];
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
  /** Pixels after orientation. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Millions of pixels, to two decimals. */
  readonly megapixels: number | undefined;
  /** The frames per second of a video, on average. */
  readonly fps: number | undefined;
  /** The length of a video in seconds. */
  readonly duration: number | undefined;
  /** The id that an Apple device gives to the photo and the video of one Live Photo. */
  readonly contentIdentifier: string | undefined;
}

/** What `readMetadata` needs besides the tags. */
export interface MetadataContext extends Omit<CaptureContext, 'position'> {
  /** See `CategoryContext`. */
  readonly hasMotionVideo?: boolean;
}

/** Interprets a file's tags, as `openExiftool` reads them. Pure: the same input gives the same answer everywhere. */
export function readMetadata(tags: MediaTags, context: MetadataContext): PhotoMetadata {
  const position = readPosition(tags);
  const { orientation, width, height } = readPictureSize(tags);
  const file = { filename: context.filename, hasMotionVideo: context.hasMotionVideo === true };
  return {
    category: findCategory(tags, file),
    unpairedCategory: findUnpairedCategory(tags, file),
    captureTime: findCaptureTime(tags, { ...context, position }),
    position,
    cameraMake: findText(tags, ...makeTags)?.slice(0, maxCameraLength),
    cameraModel: findText(tags, ...modelTags)?.slice(0, maxCameraLength),
    focalLength: findNumber(tags, ['ExifIFD:FocalLength', 'XMP-exif:FocalLength'], lens),
    apertureFNumber: findNumber(tags, ['ExifIFD:FNumber', 'XMP-exif:FNumber', 'H264:FNumber'], lens),
    exposureTime: findNumber(tags, ['ExifIFD:ExposureTime', 'XMP-exif:ExposureTime', 'H264:ExposureTime'], shutter),
    isoEquivalent: findNumber(tags, isoTags, iso),
    orientation,
    width,
    height,
    megapixels: width && height && Math.round((width * height) / 1e4) / 100,
    fps: videoTrack(tags)?.fps,
    duration: readDuration(tags),
    contentIdentifier: readContentIdentifier(tags),
  };
}

/** A UUID as Apple writes it. Another text is shortened, since it is looked up. */
function readContentIdentifier(tags: MediaTags): string | undefined {
  const text = findText(tags, ...contentIdentifierTags)?.toUpperCase();
  return text !== undefined && /^[0-9A-Z-]{1,64}$/.test(text) ? text : undefined;
}

/** Characters of a camera's name at most; the longest have about 40. */
const maxCameraLength = 200;

/** The camera in photos, in phones' videos (Apple, Android, QuickTime) and in camcorders' (Sony; AVCHD has a number for the maker). */
const makeTags = [
  'IFD0:Make',
  'XMP-tiff:Make',
  'Keys:Make',
  'Keys:AndroidMake',
  'UserData:Make',
  'XML:DeviceManufacturer',
];
const modelTags = [
  'IFD0:Model',
  'XMP-tiff:Model',
  'Keys:Model',
  'Keys:AndroidModel',
  'UserData:Model',
  'XML:DeviceModelName',
  'H264:Model',
];

/** Cameras write zero for an unknown value (an old lens, no electronic contact); the other bounds exclude nonsense. */
const lens = { min: 0.01, max: 100_000 };
const shutter = { min: 1e-7, max: 7 * 24 * 60 * 60 };
const iso = { min: 1, max: 10_000_000 };

/** Older cameras write the ISO value only into their own notes. */
const isoTags = ['ExifIFD:ISO', 'XMP-exif:ISO', 'Composite:ISO', 'Nikon:ISO', 'Pentax:ISO', 'Casio:ISO'];

/**
 * Reads the position. Empty tags give none; neither does 0° 0′, in the Gulf of Guinea, which phones without a fix write. exiftool's
 * composite tags have the sign of the hemisphere and are missing without one.
 */
function readPosition(tags: MediaTags): Position | undefined {
  const latitude = findNumber(tags, ['Composite:GPSLatitude', 'XMP-exif:GPSLatitude'], { min: -90, max: 90 });
  const longitude = findNumber(tags, ['Composite:GPSLongitude', 'XMP-exif:GPSLongitude'], { min: -180, max: 180 });
  if (latitude === undefined || longitude === undefined) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}
