import lookUpTimeZone from '@photostructure/tz-lookup';
import type { DateTime } from 'luxon';
import { findNumber, findText, type MediaTags } from '../../exiftool/mediaTags.ts';
import { maxUtcOffsetMinutes, parseTagTime, readTagTime } from './tagTime.ts';

/** A position in degrees (WGS 84), north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Finds the UTC offset, in minutes east, of `wallTime` when its own tag has none. Returns undefined if unknown. Sources, most reliable first:
 * 1. EXIF offset of another date tag with the same second
 * 2. time zone in Nikon's maker notes, or the same instant in UTC in Samsung's trailer; for other makers no test files were available
 * 3. GPS time, which is UTC
 * 4. zone in XMP or IPTC, which many programs take from the computer, not from the camera
 * 5. time zone of the position
 */
export function findUtcOffset(tags: MediaTags, wallTime: DateTime<true>, position?: Position): number | undefined {
  return (
    findOffsetOfSameSecond(tags, wallTime, exifTimeTags) ??
    readNikonOffset(tags) ??
    computeOffset(tags, wallTime, { date: 'Samsung:TimeStamp', toleranceSeconds: 2 }) ??
    computeGpsOffset(tags, wallTime, position) ??
    computeOffset(tags, wallTime, { date: 'XMP-exif:DateTimeOriginal', toleranceSeconds: 0 }) ??
    findOffsetOfSameSecond(tags, wallTime, editorTimeTags) ??
    (position && getUtcOffset(lookUpTimeZone(position.latitude, position.longitude), wallTime))
  );
}

/** Returns the UTC offset of an IANA zone at `wallTime`, in minutes east. Historical offsets are rounded to whole minutes. */
export function getUtcOffset(timeZone: string, wallTime: DateTime<true>): number {
  const local = wallTime.setZone(timeZone, { keepLocalTime: true });
  if (!local.isValid) throw new RangeError(`${timeZone} is not an IANA time zone`);
  return Math.round(local.offset);
}

/** EXIF dates and their offset tags. In EXIF 2.32, OffsetTime belongs to ModifyDate. */
const exifTimeTags = [
  { date: 'ExifIFD:CreateDate', offset: 'ExifIFD:OffsetTimeDigitized' },
  { date: 'IFD0:ModifyDate', offset: 'ExifIFD:OffsetTime' },
];

const editorTimeTags = [
  { date: 'XMP-exif:DateTimeDigitized' },
  { date: 'XMP-photoshop:DateCreated' },
  { date: 'XMP-xmp:CreateDate' },
  { date: 'IPTC:DateCreated', time: 'IPTC:TimeCreated' },
];

/** Returns the offset of another date tag with the same second. Ignores +00:00, which editors write for an unknown zone. */
function findOffsetOfSameSecond(
  tags: MediaTags,
  wallTime: DateTime,
  timeTags: readonly { date: string; time?: string; offset?: string }[],
): number | undefined {
  return timeTags
    .map((names) => readTagTime(tags, names))
    .find((timeTag) => timeTag?.utcOffsetMinutes && secondsBetween(timeTag.wallTime, wallTime) === 0)?.utcOffsetMinutes;
}

function readNikonOffset(tags: MediaTags): number | undefined {
  const standard = findNumber(tags, ['Nikon:TimeZone'], { min: -maxUtcOffsetMinutes, max: maxUtcOffsetMinutes });
  if (standard === undefined) return undefined;
  const summer = findNumber(tags, ['Nikon:DaylightSavings'], { min: 1, max: 1 });
  const offset = standard + (summer ? 60 : 0);
  return offset <= maxUtcOffsetMinutes ? offset : undefined;
}

/**
 * Returns local time minus GPS time, rounded to a quarter of an hour. The last GPS fix may be a minute old. Ignores a difference that is not close to
 * a quarter of an hour, and GPS midnight, which receivers without a fix write. The GPS date may be a day off (gps/DSCN0010.jpg): ignores an offset
 * that is out of range, or that differs by a day from the offset at the position.
 */
function computeGpsOffset(tags: MediaTags, wallTime: DateTime<true>, position?: Position): number | undefined {
  const text = findText(tags, 'Composite:GPSDateTime', 'XMP-exif:GPSDateTime');
  const gps = text && parseTagTime(text);
  if (!gps || !gps.hasTime || gps.wallTime.equals(gps.wallTime.startOf('day'))) return undefined;
  const offset = roundToQuarterHours(secondsBetween(wallTime, gps.wallTime), { toleranceSeconds: 120 });
  if (offset === undefined || !position) return offset;
  const local = getUtcOffset(lookUpTimeZone(position.latitude, position.longitude), wallTime);
  return Math.abs(offset - local) === 24 * 60 ? undefined : offset;
}

/** Compares the same instant in two time zones: `12:09:08` in EXIF and `17:09:08Z` in XMP give an offset of -05:00. */
function computeOffset(
  tags: MediaTags,
  wallTime: DateTime,
  { date, toleranceSeconds }: { date: string; toleranceSeconds: number },
): number | undefined {
  const instant = readTagTime(tags, { date });
  if (instant?.utcOffsetMinutes === undefined) return undefined;
  const seconds = secondsBetween(wallTime, instant.wallTime) + instant.utcOffsetMinutes * 60;
  const offset = roundToQuarterHours(seconds, { toleranceSeconds });
  // Editors write UTC for an unknown zone.
  return offset === 0 ? undefined : offset;
}

/** Converts seconds to minutes, if they are a multiple of a quarter of an hour in the range of time zones. */
function roundToQuarterHours(seconds: number, { toleranceSeconds }: { toleranceSeconds: number }): number | undefined {
  const minutes = Math.round(seconds / 900) * 15;
  const fits = Math.abs(seconds - minutes * 60) <= toleranceSeconds && Math.abs(minutes) <= maxUtcOffsetMinutes;
  return fits ? minutes : undefined;
}

function secondsBetween(a: DateTime, b: DateTime): number {
  return Math.floor(a.toSeconds()) - Math.floor(b.toSeconds());
}
