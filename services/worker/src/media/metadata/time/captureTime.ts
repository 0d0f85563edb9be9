import lookUpTimeZone from '@photostructure/tz-lookup';
import { DateTime } from 'luxon';
import { dateSources, type DateSource } from './dateSources.ts';
import { findFileNameTime } from './fileNameTime.ts';
import type { MediaTags } from '../../exiftool/mediaTags.ts';
import { readTagTime, type TagTime } from './tagTime.ts';
import { findUtcOffset, offsetAt, type Position } from './utcOffset.ts';

/** When a photo or video was taken. */
export interface CaptureTime {
  /** The local time where it was taken, `2019-06-09T12:57:32.835`; without a fraction where none is known. */
  readonly localTime: string;
  /** The instant; with an unknown offset, the one at which a clock in the fallback zone showed `localTime`. */
  readonly takenAt: Date;
  /** The offset of the local time in minutes east of UTC; undefined where the file does not tell. */
  readonly utcOffsetMinutes: number | undefined;
  /** The tag that told the time, or `client` or `fileName`. */
  readonly source: string;
}

/** What is known about a file besides its tags. */
export interface CaptureContext {
  readonly filename: string;
  /** The fallback zone (IANA) for times without a zone of their own. */
  readonly timeZone: string;
  readonly uploadedAt: Date;
  /** The time that the client sent with the upload, usually that of the file. */
  readonly clientCreationTime?: Date | undefined;
  /** The offset of the client's clock in minutes east of UTC, where the client sent it. */
  readonly clientUtcOffsetMinutes?: number | undefined;
  readonly position?: Position | undefined;
}

interface Candidate {
  readonly wall: DateTime<true>;
  readonly utcOffsetMinutes: number | undefined;
  readonly source: string;
  /** The rank of a tag's time: the lowest goes first; see `rankOf`. */
  readonly rank: number;
}

/** How long after its upload a file may claim to be taken: clocks of zones differ by up to 26 hours, and clocks go wrong by minutes. */
const futureToleranceMs = 24 * 60 * 60 * 1_000;

/**
 * Years whose first day is the zero of clocks that were never set: QuickTime's (1904), Unix's (1970), that of MS-DOS and of memory cards'
 * file systems (1980), and that of many cameras (2000).
 */
export const clockEpochYears = [1904, 1970, 1980, 2000] as const;

/**
 * The capture time of a photo or video; undefined when nothing tells it. Asked in this order: the tags (times before mere dates, which
 * count as noon), the client, the file's name, and last a camera clock that seems never to have been set. A time more than a day after the
 * upload comes from a camera clock set wrong and counts as none; the item would otherwise stay at the top of the library for years.
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

/** Whether a time is the zero of a clock and no date at all. Midnight of 2000 is not: people took pictures at that moment. */
const isClockZero = (time: TagTime): boolean =>
  isFirstDayOfClock(time) && time.wall.year !== 2000 && time.wall.equals(time.wall.startOf('day'));

function rankOf(time: TagTime): number {
  if (isFirstDayOfClock(time)) return ranks.unsetClock;
  return time.hasTime ? ranks.time : ranks.day;
}

/**
 * Whether a time is on the first day of a clock that was never set; every other source takes precedence then. Mere dates do not count:
 * people write the first of January for a year of which they know no more.
 */
const isFirstDayOfClock = ({ wall, hasTime }: TagTime): boolean =>
  hasTime && wall.month === 1 && wall.day === 1 && clockEpochYears.some((year) => year === wall.year);

/** The client's local time, where the client sent its offset. */
function clientClock(instant: Date, context: CaptureContext): Pick<Candidate, 'wall' | 'utcOffsetMinutes'> {
  const { clientUtcOffsetMinutes: minutes } = context;
  if (minutes === undefined) return toClock(instant, context);
  const wall = DateTime.fromJSDate(instant, { zone: 'utc' }).plus({ minutes });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is no time`);
  return { wall, utcOffsetMinutes: minutes };
}

/** An instant as local time: in the zone of the position, else in the fallback zone. */
function toClock(instant: Date, { position, timeZone }: CaptureContext): Pick<Candidate, 'wall' | 'utcOffsetMinutes'> {
  const zone = position ? lookUpTimeZone(position.latitude, position.longitude) : timeZone;
  const local = DateTime.fromJSDate(instant, { zone });
  const wall = local.setZone('utc', { keepLocalTime: true });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is no time or ${zone} no IANA time zone`);
  // Offsets in whole minutes, although history has seconds, and the local time agrees with them.
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
