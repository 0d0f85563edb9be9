import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { findCaptureTime, type CaptureContext, type CaptureTime } from './time/captureTime.ts';
import { contentIdentifierTags, findCategory, findUnpairedCategory } from './category.ts';
import { findNumber, findText, type MediaTags } from '../exiftool/mediaTags.ts';
import { readPictureSize } from './pictureSize.ts';
import type { Position } from './time/utcOffset.ts';
import { readDuration, readVideoTrack } from './videoTags.ts';

/** Metadata of a photo or video. Undefined values are not in the file. */
export interface PhotoMetadata {
  /** `LIVE` for a possible half of a Live Photo. */
  readonly category: MediaItemRow['category'];
  /** Category while the other half is missing. */
  readonly unpairedCategory: MediaItemRow['category'];
  readonly captureTime: CaptureTime | undefined;
  readonly position: Position | undefined;
  readonly cameraMake: string | undefined;
  readonly cameraModel: string | undefined;
  /** Real focal length in mm, not the 35 mm equivalent. */
  readonly focalLength: number | undefined;
  readonly apertureFNumber: number | undefined;
  /** In seconds. */
  readonly exposureTime: number | undefined;
  readonly isoEquivalent: number | undefined;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
  /** Upright, in pixels. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Rounded to two decimals. */
  readonly megapixels: number | undefined;
  /** Average frame rate of a video. */
  readonly fps: number | undefined;
  /** Duration of a video, in seconds. */
  readonly duration: number | undefined;
  /** Apple's id that the photo and the video of a Live Photo share. */
  readonly contentIdentifier: string | undefined;
}

/** Inputs of `readMetadata` other than the tags. */
export interface MetadataContext extends Omit<CaptureContext, 'position'> {
  /** See `CategoryContext`. */
  readonly hasMotionVideo?: boolean;
}

/** Interprets the tags of a file that `readMediaTags` returned. The result does not depend on the machine's clock and time zone. */
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
    fps: readVideoTrack(tags)?.fps,
    duration: readDuration(tags),
    contentIdentifier: readContentIdentifier(tags),
  };
}

/** Apple writes a UUID. Other texts are rejected unless they are short and of safe characters, since the value is used in lookups. */
function readContentIdentifier(tags: MediaTags): string | undefined {
  const text = findText(tags, ...contentIdentifierTags)?.toUpperCase();
  return text !== undefined && /^[0-9A-Z-]{1,64}$/.test(text) ? text : undefined;
}

/** Maximum length of a camera's name, in characters. The longest have about 40. */
const maxCameraLength = 200;

/** Camera in photos, in videos of phones (Apple, Android, QuickTime) and of camcorders (Sony; AVCHD has only a number for the maker). */
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

/** Cameras write zero for an unknown value (an old lens, no electronic contact). The other limits exclude invalid values. */
const lens = { min: 0.01, max: 100_000 };
const shutter = { min: 1e-7, max: 7 * 24 * 60 * 60 };
const iso = { min: 1, max: 10_000_000 };

/** Older cameras write the ISO value only into their maker notes. */
const isoTags = ['ExifIFD:ISO', 'XMP-exif:ISO', 'Composite:ISO', 'Nikon:ISO', 'Pentax:ISO', 'Casio:ISO'];

/**
 * Reads the position. Ignores empty tags and the position 0, 0, which phones without a GPS fix write. exiftool's composite tags have the sign of the
 * hemisphere, and are missing if the file states none.
 */
function readPosition(tags: MediaTags): Position | undefined {
  const latitude = findNumber(tags, ['Composite:GPSLatitude', 'XMP-exif:GPSLatitude'], { min: -90, max: 90 });
  const longitude = findNumber(tags, ['Composite:GPSLongitude', 'XMP-exif:GPSLongitude'], { min: -180, max: 180 });
  if (latitude === undefined || longitude === undefined) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}
