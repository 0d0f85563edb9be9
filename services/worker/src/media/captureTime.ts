import lookUpTimeZone from '@photostructure/tz-lookup';
import { DateTime } from 'luxon';
import { isClockZero, isFirstDayOfClock } from './clockEpochs.ts';
import { dateSources, type DateSource } from './dateSources.ts';
import { findFileNameTime } from './fileNameTime.ts';
import type { MediaTags } from './mediaTags.ts';
import { readTagTime, type TagTime } from './tagTime.ts';
import { findUtcOffset, offsetAt, type Position } from './utcOffset.ts';

/** When a photo or video was taken. */
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
  /** Minutes east of UTC of the clock that it was read from, where the program said them. */
  readonly clientUtcOffsetMinutes?: number | undefined;
  readonly position?: Position | undefined;
}

interface Candidate {
  readonly wall: DateTime<true>;
  readonly utcOffsetMinutes: number | undefined;
  readonly source: string;
  /** Of a tag: of several that tell a time, 0 goes first; see `rankOf`. */
  readonly rank: number;
}

/** How long after its upload a file may say that it was taken: clocks of zones differ by up to 26 hours, and go wrong by minutes. */
const futureToleranceMs = 24 * 60 * 60 * 1_000;

/**
 * The capture time of a photo or video: from its tags (with a time of day before mere dates, which count as noon), else from what
 * the client said, else from the file's name, else from a clock that seems never to have been set; undefined when none tells.
 * A time more than a day after the upload is a camera clock set wrong, and would stand at the top of the library for
 * years: it counts as none.
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

function rankOf(time: TagTime): number {
  if (isFirstDayOfClock(time)) return ranks.unsetClock;
  return time.hasTime ? ranks.time : ranks.day;
}

/** The uploader's own clock, where it said how that stood. */
function clientClock(instant: Date, context: CaptureContext): Pick<Candidate, 'wall' | 'utcOffsetMinutes'> {
  const { clientUtcOffsetMinutes: minutes } = context;
  if (minutes === undefined) return toClock(instant, context);
  const wall = DateTime.fromJSDate(instant, { zone: 'utc' }).plus({ minutes });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is no time`);
  return { wall, utcOffsetMinutes: minutes };
}

/** An instant as a clock where the file was made: in the position's zone, else in the fallback zone. */
function toClock(instant: Date, { position, timeZone }: CaptureContext): Pick<Candidate, 'wall' | 'utcOffsetMinutes'> {
  const zone = position ? lookUpTimeZone(position.latitude, position.longitude) : timeZone;
  const local = DateTime.fromJSDate(instant, { zone });
  const wall = local.setZone('utc', { keepLocalTime: true });
  if (!wall.isValid) throw new RangeError(`${String(instant)} is no time or ${zone} no IANA time zone`);
  // Whole minutes also where history has seconds; the clock agrees with the offset then.
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
