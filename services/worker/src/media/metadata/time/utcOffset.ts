import lookUpTimeZone from '@photostructure/tz-lookup';
import type { DateTime } from 'luxon';
import { findNumber, findText, type MediaTags } from '../../exiftool/mediaTags.ts';
import { maxUtcOffsetMinutes, parseTagTime, readTagTime } from './tagTime.ts';

/** A place on Earth in degrees (WGS 84), north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * The offset in minutes east of UTC of a local time `wall` whose tag has none; undefined when the file does not tell. Asked in this order,
 * the most reliable first:
 *
 * 1. an EXIF offset of another date of the same second
 * 2. the zone in the camera's own notes (Nikon's; other makers' came with no file to prove them on), or the same instant in UTC (Samsung's)
 * 3. the GPS clock, which is UTC
 * 4. a zone in XMP or IPTC, which many programs take from the computer and not from the camera
 * 5. the time zone of the position
 */
export function findUtcOffset(tags: MediaTags, wall: DateTime<true>, position?: Position): number | undefined {
  return (
    offsetOfTwinDate(tags, wall, exifTwins) ??
    offsetFromNikon(tags) ??
    offsetFromInstant(tags, wall, { date: 'Samsung:TimeStamp', toleranceSeconds: 2 }) ??
    offsetFromGpsTime(tags, wall, position) ??
    offsetFromInstant(tags, wall, { date: 'XMP-exif:DateTimeOriginal', toleranceSeconds: 0 }) ??
    offsetOfTwinDate(tags, wall, editorTwins) ??
    (position && offsetAt(lookUpTimeZone(position.latitude, position.longitude), wall))
  );
}

/** Minutes east of UTC in an IANA zone when its clocks show `wall`; whole minutes also where history has seconds. */
export function offsetAt(timeZone: string, wall: DateTime<true>): number {
  const local = wall.setZone(timeZone, { keepLocalTime: true });
  if (!local.isValid) throw new RangeError(`${timeZone} is no IANA time zone`);
  return Math.round(local.offset);
}

/** Dates with an offset that holds for them only: EXIF 2.32, OffsetTime is that of ModifyDate. */
const exifTwins = [
  { date: 'ExifIFD:CreateDate', offset: 'ExifIFD:OffsetTimeDigitized' },
  { date: 'IFD0:ModifyDate', offset: 'ExifIFD:OffsetTime' },
];

const editorTwins = [
  { date: 'XMP-exif:DateTimeDigitized' },
  { date: 'XMP-photoshop:DateCreated' },
  { date: 'XMP-xmp:CreateDate' },
  { date: 'IPTC:DateCreated', time: 'IPTC:TimeCreated' },
];

/** The offset of a date that shows the same second; a +00:00 from an editor is what it writes when it does not know. */
function offsetOfTwinDate(
  tags: MediaTags,
  wall: DateTime,
  twins: readonly { date: string; time?: string; offset?: string }[],
): number | undefined {
  return twins
    .map((names) => readTagTime(tags, names))
    .find((twin) => twin?.utcOffsetMinutes && secondsBetween(twin.wall, wall) === 0)?.utcOffsetMinutes;
}

function offsetFromNikon(tags: MediaTags): number | undefined {
  const standard = findNumber(tags, ['Nikon:TimeZone'], { min: -maxUtcOffsetMinutes, max: maxUtcOffsetMinutes });
  if (standard === undefined) return undefined;
  const summer = findNumber(tags, ['Nikon:DaylightSavings'], { min: 1, max: 1 });
  const offset = standard + (summer ? 60 : 0);
  return offset <= maxUtcOffsetMinutes ? offset : undefined;
}

/**
 * A GPS time is the last fix, some seconds or a minute old; one that is further from a whole quarter of an hour says
 * nothing sure. Midnight sharp is what receivers write that have no fix. A GPS date can be a day off (gps/DSCN0010.jpg):
 * then the offset is out of range, or a whole day from that of the position.
 */
function offsetFromGpsTime(tags: MediaTags, wall: DateTime<true>, position?: Position): number | undefined {
  const text = findText(tags, 'Composite:GPSDateTime', 'XMP-exif:GPSDateTime');
  const gps = text && parseTagTime(text);
  if (!gps || !gps.hasTime || gps.wall.equals(gps.wall.startOf('day'))) return undefined;
  const offset = wholeQuarterHours(secondsBetween(wall, gps.wall), { toleranceSeconds: 120 });
  if (offset === undefined || !position) return offset;
  const local = offsetAt(lookUpTimeZone(position.latitude, position.longitude), wall);
  return Math.abs(offset - local) === 24 * 60 ? undefined : offset;
}

/** The same instant in another zone: `12:09:08` in EXIF is `17:09:08Z` in XMP where the clock stood at -05:00. */
function offsetFromInstant(
  tags: MediaTags,
  wall: DateTime,
  { date, toleranceSeconds }: { date: string; toleranceSeconds: number },
): number | undefined {
  const instant = readTagTime(tags, { date });
  if (instant?.utcOffsetMinutes === undefined) return undefined;
  const seconds = secondsBetween(wall, instant.wall) + instant.utcOffsetMinutes * 60;
  const offset = wholeQuarterHours(seconds, { toleranceSeconds });
  return offset === 0 ? undefined : offset;
}

/** Minutes, when these seconds are a whole number of quarters of an hour that a time zone can have. */
function wholeQuarterHours(seconds: number, { toleranceSeconds }: { toleranceSeconds: number }): number | undefined {
  const minutes = Math.round(seconds / 900) * 15;
  const fits = Math.abs(seconds - minutes * 60) <= toleranceSeconds && Math.abs(minutes) <= maxUtcOffsetMinutes;
  return fits ? minutes : undefined;
}

function secondsBetween(a: DateTime, b: DateTime): number {
  return Math.floor(a.toSeconds()) - Math.floor(b.toSeconds());
}
