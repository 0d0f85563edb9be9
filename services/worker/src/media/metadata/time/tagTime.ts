import { DateTime } from 'luxon';
import { findText, type MediaTags } from '../../exiftool/mediaTags.ts';

/** A parsed date tag. */
export interface TagTime {
  /** Local time, stored as if it were UTC. */
  readonly wallTime: DateTime<true>;
  /** Minutes east of UTC, if the tag has an offset itself. */
  readonly utcOffsetMinutes: number | undefined;
  /** False for a date without a time. `wallTime` is then at noon, which limits the error to half a day. */
  readonly hasTime: boolean;
}

/** Maximum UTC offset in the IANA time zone database: Kiribati's Line Islands, +14:00. */
export const maxUtcOffsetMinutes = 14 * 60;

/** Year of the oldest photograph. Camera clocks that were never set may write 0000. */
const earliestYear = 1826;

/** Maximum length of a date with its time, in characters. Cameras write up to 35. */
const maxTimeLength = 64;

/**
 * `2019:04:30 12:06:59.25+02:00`, also with other separators (many programs write ISO 8601) and incomplete. Camcorders append ` DST`. Neither pattern
 * backtracks, so matching takes linear time.
 */
const datePattern = /^(\d{4})[-:/.](\d{1,2})[-:/.](\d{1,2})(?:[T ](.*))?$/s;
const timePattern = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+)(?!\d))?)?\s*(\S+)?(?: DST)?$/;

/** Reads a date tag, with its time, fraction of a second and offset from separate tags if given. Undefined if it is not a date, such as all zeros. */
export function readTagTime(
  tags: MediaTags,
  names: { date: string; time?: string; fraction?: string; offset?: string },
): TagTime | undefined {
  const date = findText(tags, names.date);
  const time = names.time && findText(tags, names.time);
  const parsed = date && parseTagTime(time ? `${date} ${time}` : date);
  if (!parsed) return undefined;
  const fraction = names.fraction && findText(tags, names.fraction);
  const milliseconds = fraction && /^\d+$/.test(fraction) ? Number(fraction.padEnd(3, '0').slice(0, 3)) : undefined;
  const offset = names.offset && findText(tags, names.offset);
  return {
    ...parsed,
    wallTime: milliseconds === undefined ? parsed.wallTime : parsed.wallTime.set({ millisecond: milliseconds }),
    utcOffsetMinutes: (offset ? parseUtcOffset(offset) : undefined) ?? parsed.utcOffsetMinutes,
  };
}

/** Parses a date in exiftool's or ISO notation. Undefined if it is not a date or before photography. */
export function parseTagTime(text: string): TagTime | undefined {
  const [, year, month, day, rest] = datePattern.exec(text.slice(0, maxTimeLength)) ?? [];
  if (!year) return undefined;
  const [, hour, minute, second, fraction, offset] = timePattern.exec(rest?.trim() ?? '') ?? [];
  const hasTime = hour !== undefined;
  const wallTime = DateTime.fromObject(
    {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: Number(hour ?? 12),
      minute: Number(minute ?? 0),
      second: Number(second ?? 0),
      millisecond: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
    },
    { zone: 'utc' },
  );
  if (!wallTime.isValid || wallTime.year < earliestYear) return undefined;
  return { wallTime, utcOffsetMinutes: offset ? parseUtcOffset(offset) : undefined, hasTime };
}

/** Parses `+05:30`, `-0330` or `Z` to minutes east of UTC; undefined beyond ±14 hours. */
export function parseUtcOffset(text: string): number | undefined {
  if (text === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})$/.exec(text) ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  return Math.abs(offset) <= maxUtcOffsetMinutes ? offset : undefined;
}
