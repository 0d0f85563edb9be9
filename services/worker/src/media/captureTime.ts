import lookUpTimeZone from '@photostructure/tz-lookup';
import { DateTime } from 'luxon';
import { findFileNameTime } from './fileNameTime.ts';
import type { MediaTags } from './mediaTags.ts';
import { readTagTime } from './tagTime.ts';
import { findUtcOffset, offsetAt, type Position } from './utcOffset.ts';

/** When a photo was taken. */
export interface CaptureTime {
  /** What a clock showed where it was taken, `2019-06-09T12:57:32.835`; no fraction where none is known. */
  readonly localTime: string;
  /** The instant; with an unknown offset, as if the clock had stood in the fallback zone. */
  readonly takenAt: Date;
  /** Minutes east of UTC of that clock, only where the file tells. */
  readonly utcOffsetMinutes: number | undefined;
  /** The tag it comes from, `client` or `fileName`. */
  readonly source: string;
}

/** What is known about a file besides its tags. */
export interface CaptureContext {
  readonly filename: string;
  /** IANA zone for times without any other. */
  readonly timeZone: string;
  readonly uploadedAt: Date;
  /** What the uploading program said, usually the time of the file. */
  readonly clientCreationTime?: Date | undefined;
  readonly position?: Position | undefined;
}

interface LocalTime {
  readonly wall: DateTime<true>;
  readonly utcOffsetMinutes: number | undefined;
  readonly source: string;
}

/**
 * The tags that hold a capture time, the surest first: the shutter, then digitising, then what editors write. Times of
 * change (`ModifyDate`, PNG's `tIME`) are none. IPTC's +00:00 is what many programs write without knowing a zone.
 */
const dateSources: readonly (Parameters<typeof readTagTime>[1] & { ignoreUtc?: boolean })[] = [
  {
    date: 'ExifIFD:DateTimeOriginal',
    fraction: 'ExifIFD:SubSecTimeOriginal',
    offset: 'ExifIFD:OffsetTimeOriginal',
  },
  { date: 'IFD0:DateTimeOriginal' },
  { date: 'XMP-exif:DateTimeOriginal' },
  { date: 'ExifIFD:CreateDate', fraction: 'ExifIFD:SubSecTimeDigitized', offset: 'ExifIFD:OffsetTimeDigitized' },
  { date: 'XMP-exif:DateTimeDigitized' },
  { date: 'XMP-photoshop:DateCreated' },
  { date: 'XMP-xmp:CreateDate' },
  { date: 'IPTC:DateCreated', time: 'IPTC:TimeCreated', ignoreUtc: true },
];

/**
 * The capture time of a photo: from its tags (with a time of day before mere dates, which count as noon), else from
 * what the client said, else from the file's name; undefined when none tells. A time more than a day after the upload is
 * a camera clock set wrong, and would stand at the top of the library for years: it counts as none.
 */
export function findCaptureTime(tags: MediaTags, context: CaptureContext): CaptureTime | undefined {
  const latest = context.uploadedAt.getTime() + 24 * 60 * 60 * 1000;
  return candidates(tags, context)
    .map((candidate) => toCaptureTime(candidate, context.timeZone))
    .find(({ takenAt }) => takenAt.getTime() <= latest);
}

function candidates(tags: MediaTags, context: CaptureContext): LocalTime[] {
  const { position, filename, clientCreationTime } = context;
  const tagged = dateSources.flatMap(({ ignoreUtc, ...names }) => {
    const time = readTagTime(tags, names);
    if (!time) return [];
    const { wall, hasTime } = time;
    const own = time.utcOffsetMinutes === 0 && ignoreUtc ? undefined : time.utcOffsetMinutes;
    return { wall, hasTime, utcOffsetMinutes: own ?? findUtcOffset(tags, wall, position), source: names.date };
  });
  const times: LocalTime[] = [...tagged.filter(({ hasTime }) => hasTime), ...tagged.filter(({ hasTime }) => !hasTime)];
  if (clientCreationTime) times.push(fromClient(clientCreationTime, context));
  const wall = findFileNameTime(filename);
  if (wall) times.push({ wall, utcOffsetMinutes: findUtcOffset({}, wall, position), source: 'fileName' });
  return times;
}

/** The client tells an instant, not a clock: shown as a clock in the position's zone, else in the fallback zone. */
function fromClient(instant: Date, { position, timeZone }: CaptureContext): LocalTime {
  const zone = position ? lookUpTimeZone(position.latitude, position.longitude) : timeZone;
  const local = DateTime.fromJSDate(instant, { zone });
  const wall = local.setZone('utc', { keepLocalTime: true });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is no time or ${zone} no IANA time zone`);
  return { wall, utcOffsetMinutes: position && Math.round(local.offset), source: 'client' };
}

function toCaptureTime({ wall, utcOffsetMinutes, source }: LocalTime, timeZone: string): CaptureTime {
  const offset = utcOffsetMinutes ?? offsetAt(timeZone, wall);
  return {
    localTime: wall.toISO({ includeOffset: false, suppressMilliseconds: true }),
    takenAt: new Date(wall.toMillis() - offset * 60_000),
    utcOffsetMinutes,
    source,
  };
}
