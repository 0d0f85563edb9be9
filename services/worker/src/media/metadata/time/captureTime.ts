import lookUpTimeZone from '@photostructure/tz-lookup';
import { DateTime } from 'luxon';
import { dateSources, type DateSource } from './dateSources.ts';
import { findFileNameTime } from './fileNameTime.ts';
import type { MediaTags } from '../../exiftool/mediaTags.ts';
import { readTagTime, type TagTime } from './tagTime.ts';
import { findUtcOffset, getUtcOffset, type Position } from './utcOffset.ts';

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
  readonly wallTime: DateTime<true>;
  readonly utcOffsetMinutes: number | undefined;
  readonly source: string;
  /** The lowest rank takes precedence; see `ranks`. */
  readonly rank: number;
}

/** Tolerance for capture times after the upload: a time without a zone may be wrong by hours, and a clock by minutes. */
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
  return listCandidates(tags, context)
    .map((candidate) => toCaptureTime(candidate, context.timeZone))
    .find(({ takenAt }) => takenAt.getTime() <= latest);
}

const ranks = { time: 0, day: 1, client: 2, fileName: 3, unsetClock: 4 } as const;

function listCandidates(tags: MediaTags, context: CaptureContext): Candidate[] {
  const { position, filename, clientCreationTime } = context;
  const found = dateSources.flatMap((source) => readSource(tags, source, context) ?? []);
  if (clientCreationTime) {
    found.push({ ...readClientClock(clientCreationTime, context), source: 'client', rank: ranks.client });
  }
  const wallTime = findFileNameTime(filename);
  if (wallTime) {
    const utcOffsetMinutes = findUtcOffset({}, wallTime, position);
    found.push({ wallTime, utcOffsetMinutes, source: 'fileName', rank: ranks.fileName });
  }
  return found.toSorted((a, b) => a.rank - b.rank);
}

function readSource(tags: MediaTags, source: DateSource, context: CaptureContext): Candidate | undefined {
  const time = readTagTime(tags, source.names);
  if (!time || isUnsetClock(time)) return undefined;
  const named = { source: source.names.date, rank: getRank(time) };
  if (source.isUtc && time.hasTime) {
    const instant = new Date(time.wallTime.toMillis() - (time.utcOffsetMinutes ?? 0) * 60_000);
    return { ...toClock(instant, context), ...named };
  }
  const statedOffset = time.utcOffsetMinutes === 0 && source.ignoreUtc ? undefined : time.utcOffsetMinutes;
  return {
    wallTime: time.wallTime,
    utcOffsetMinutes: statedOffset ?? findUtcOffset(tags, time.wallTime, context.position),
    ...named,
  };
}

/** True if a time is exactly the epoch of a clock. Midnight of 2000 is excluded: people took pictures at that moment. */
const isUnsetClock = (time: TagTime): boolean =>
  isClockEpochDay(time) && time.wallTime.year !== 2000 && time.wallTime.equals(time.wallTime.startOf('day'));

function getRank(time: TagTime): number {
  if (isClockEpochDay(time)) return ranks.unsetClock;
  return time.hasTime ? ranks.time : ranks.day;
}

/**
 * True if a time is on the first day of a clock that was never set. All other sources take precedence. Dates without a time do not count: people
 * enter January 1st if they know only the year.
 */
const isClockEpochDay = ({ wallTime, hasTime }: TagTime): boolean =>
  hasTime && wallTime.month === 1 && wallTime.day === 1 && clockEpochYears.some((year) => year === wallTime.year);

/** Returns the client's local time. If the client sent no offset, uses the time zone of the position or the fallback zone. */
function readClientClock(instant: Date, context: CaptureContext): Pick<Candidate, 'wallTime' | 'utcOffsetMinutes'> {
  const { clientUtcOffsetMinutes: minutes } = context;
  if (minutes === undefined) return toClock(instant, context);
  const wallTime = DateTime.fromJSDate(instant, { zone: 'utc' }).plus({ minutes });
  if (!wallTime.isValid) throw new RangeError(`${String(instant)} is not a time`);
  return { wallTime, utcOffsetMinutes: minutes };
}

/** Converts an instant to local time in the time zone of the position, else in the fallback zone. */
function toClock(
  instant: Date,
  { position, timeZone }: CaptureContext,
): Pick<Candidate, 'wallTime' | 'utcOffsetMinutes'> {
  const zone = position ? lookUpTimeZone(position.latitude, position.longitude) : timeZone;
  const local = DateTime.fromJSDate(instant, { zone });
  const wallTime = local.setZone('utc', { keepLocalTime: true });
  if (!wallTime.isValid) throw new RangeError(`${String(instant)} is not a time, or ${zone} is not an IANA time zone`);
  // Rounds offsets to whole minutes, because historical offsets have seconds. Shifts the local time accordingly.
  const offset = Math.round(local.offset);
  return { wallTime: wallTime.plus({ minutes: offset - local.offset }), utcOffsetMinutes: position && offset };
}

function toCaptureTime({ wallTime, utcOffsetMinutes, source }: Candidate, timeZone: string): CaptureTime {
  const offset = utcOffsetMinutes ?? getUtcOffset(timeZone, wallTime);
  return {
    localTime: wallTime.toISO({ includeOffset: false, suppressMilliseconds: true }),
    takenAt: new Date(wallTime.toMillis() - offset * 60_000),
    utcOffsetMinutes,
    source,
  };
}
