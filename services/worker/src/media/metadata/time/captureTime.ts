import lookUpTimeZone from '@photostructure/tz-lookup';
import { DateTime } from 'luxon';
import { dateSources, type DateSource } from './dateSources.ts';
import { findFileNameTime } from './fileNameTime.ts';
import type { MediaTags } from '../../exiftool/mediaTags.ts';
import { readTagTime, type TagTime } from './tagTime.ts';
import { findUtcOffset, offsetAt, type Position } from './utcOffset.ts';

export interface CaptureTime {
  /** Local time at the place of capture, such as `2019-06-09T12:57:32.835`. The fraction is omitted if zero. */
  readonly localTime: string;
  /** Instant of capture. If the offset is unknown, `localTime` is read in the fallback time zone. */
  readonly takenAt: Date;
  /** Offset of the local time in minutes east of UTC; undefined if unknown. */
  readonly utcOffsetMinutes: number | undefined;
  /** Tag that the time was read from, or `client` or `fileName`. */
  readonly source: string;
}

/** File properties other than tags. */
export interface CaptureContext {
  readonly filename: string;
  /** Fallback time zone (IANA) for times without one. */
  readonly timeZone: string;
  readonly uploadedAt: Date;
  /** Time that the client sent with the upload, usually the file's modification time. */
  readonly clientCreationTime?: Date | undefined;
  /** Offset of the client's clock in minutes east of UTC, if the client sent it. */
  readonly clientUtcOffsetMinutes?: number | undefined;
  readonly position?: Position | undefined;
}

interface Candidate {
  readonly wall: DateTime<true>;
  readonly utcOffsetMinutes: number | undefined;
  readonly source: string;
  /** The lowest rank takes precedence; see `rankOf`. */
  readonly rank: number;
}

/** Tolerance for capture times after the upload: local times differ by up to 26 hours between zones, and clocks may be wrong by minutes. */
const futureToleranceMs = 24 * 60 * 60 * 1_000;

/** Years of the epochs of clocks that were never set: QuickTime (1904), Unix (1970), MS-DOS and memory cards (1980), and many cameras (2000). */
export const clockEpochYears = [1904, 1970, 1980, 2000] as const;

/**
 * Returns the capture time of a photo or video, or undefined. Order of precedence: tags (times before dates without a time, which count as noon),
 * the client's time, the file name, and a camera clock that was probably never set. Ignores times more than a day after the upload: a clock set wrong
 * would keep the item at the top of the library for years.
 */
export function findCaptureTime(tags: MediaTags, context: CaptureContext): CaptureTime | undefined {
  const latest = context.uploadedAt.getTime() + futureToleranceMs;
  return candidates(tags, context)
    .map((candidate) => toCaptureTime(candidate, context.timeZone))
    .find(({ takenAt }) => takenAt.getTime() <= latest);
}

const ranks = { time: 0, day: 1, client: 2, fileName: 3, unsetClock: 4 } as const;

function candidates(tags: MediaTags, context: CaptureContext): Candidate[] {
  const { position, filename, clientCreationTime } = context;
  const found = dateSources.flatMap((source) => readSource(tags, source, context) ?? []);
  if (clientCreationTime) {
    found.push({ ...clientClock(clientCreationTime, context), source: 'client', rank: ranks.client });
  }
  const wall = findFileNameTime(filename);
  if (wall) {
    const utcOffsetMinutes = findUtcOffset({}, wall, position);
    found.push({ wall, utcOffsetMinutes, source: 'fileName', rank: ranks.fileName });
  }
  return found.toSorted((a, b) => a.rank - b.rank);
}

function readSource(tags: MediaTags, source: DateSource, context: CaptureContext): Candidate | undefined {
  const time = readTagTime(tags, source.names);
  if (!time || isClockZero(time)) return undefined;
  const named = { source: source.names.date, rank: rankOf(time) };
  if (source.isUtc && time.hasTime) {
    const instant = new Date(time.wall.toMillis() - (time.utcOffsetMinutes ?? 0) * 60_000);
    return { ...toClock(instant, context), ...named };
  }
  const own = time.utcOffsetMinutes === 0 && source.ignoreUtc ? undefined : time.utcOffsetMinutes;
  return {
    wall: time.wall,
    utcOffsetMinutes: own ?? findUtcOffset(tags, time.wall, context.position),
    ...named,
  };
}

/** True if a time is exactly the epoch of a clock. Midnight of 2000 is excluded: people took pictures at that moment. */
const isClockZero = (time: TagTime): boolean =>
  isFirstDayOfClock(time) && time.wall.year !== 2000 && time.wall.equals(time.wall.startOf('day'));

function rankOf(time: TagTime): number {
  if (isFirstDayOfClock(time)) return ranks.unsetClock;
  return time.hasTime ? ranks.time : ranks.day;
}

/**
 * True if a time is on the first day of a clock that was never set. All other sources take precedence. Dates without a time do not count: people
 * enter January 1st if they know only the year.
 */
const isFirstDayOfClock = ({ wall, hasTime }: TagTime): boolean =>
  hasTime && wall.month === 1 && wall.day === 1 && clockEpochYears.some((year) => year === wall.year);

/** Returns the client's local time, if the client sent its offset. */
function clientClock(instant: Date, context: CaptureContext): Pick<Candidate, 'wall' | 'utcOffsetMinutes'> {
  const { clientUtcOffsetMinutes: minutes } = context;
  if (minutes === undefined) return toClock(instant, context);
  const wall = DateTime.fromJSDate(instant, { zone: 'utc' }).plus({ minutes });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is not a time`);
  return { wall, utcOffsetMinutes: minutes };
}

/** Converts an instant to local time in the time zone of the position, else in the fallback zone. */
function toClock(instant: Date, { position, timeZone }: CaptureContext): Pick<Candidate, 'wall' | 'utcOffsetMinutes'> {
  const zone = position ? lookUpTimeZone(position.latitude, position.longitude) : timeZone;
  const local = DateTime.fromJSDate(instant, { zone });
  const wall = local.setZone('utc', { keepLocalTime: true });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is not a time, or ${zone} is not an IANA time zone`);
  // Rounds offsets to whole minutes, because historical offsets have seconds. Shifts the local time accordingly.
  const offset = Math.round(local.offset);
  return { wall: wall.plus({ minutes: offset - local.offset }), utcOffsetMinutes: position && offset };
}

function toCaptureTime({ wall, utcOffsetMinutes, source }: Candidate, timeZone: string): CaptureTime {
  const offset = utcOffsetMinutes ?? offsetAt(timeZone, wall);
  return {
    localTime: wall.toISO({ includeOffset: false, suppressMilliseconds: true }),
    takenAt: new Date(wall.toMillis() - offset * 60_000),
    utcOffsetMinutes,
    source,
  };
}
