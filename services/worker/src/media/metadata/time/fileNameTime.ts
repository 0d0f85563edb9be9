import type { DateTime } from 'luxon';
import { parseTagTime } from './tagTime.ts';

/** A date: `2018-04-12`, `20180725`. Must not follow a digit. */
const day = /(?<!\d)((?:19|20)\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)/.source;

/** Separator between date and time. */
const gap = /(?:[-_.T ]+|[-_ ]*at )/.source;

/** A time, followed by milliseconds in the names of some cameras: `10-20-30`, `163423123`, `9.05.10`. */
const time = /([0-2]\d|\d(?=[-_.:]))[-_.:]?([0-5]\d)[-_.:]?([0-5]\d)(?:\d{3})?/.source;

/** AM or PM. macOS puts a narrow no-break space before it. */
const meridiem = /(?:[-_ \u00a0\u202f]?([AaPp])[Mm](?![A-Za-z]))?/.source;

/**
 * `Screenshot_2024-02-01-10-20-30.png`, `2018-04-12 19_24_49.jpg`, `IMG_20180725_163423123.jpg`, `Screenshot 2019-05-04 at 10.11.12 PM.png`, and
 * without a time `IMG-20190504-WA0001.jpg`.
 */
const namePattern = new RegExp(`${day}(?:${gap}${time}${meridiem})?(?!\\d)`);

/** `20190504101112.jpg`, and with milliseconds `IMG_BURST20190504101112345_COVER.jpg`. */
const packedPattern = /(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)([0-2]\d)([0-5]\d)([0-5]\d)(?:\d{3})?(?!\d)/;

/** Returns the local time in a file's name, stored as if it were UTC; noon if the name has no time, undefined if it has no date. */
export function findFileNameTime(filename: string): DateTime<true> | undefined {
  const found = namePattern.exec(filename) ?? packedPattern.exec(filename);
  const [, year, month, dayOfMonth, hour, minute, second, letter] = found ?? [];
  if (!year) return undefined;
  return parseTagTime(`${year}:${month}:${dayOfMonth}${hour ? ` ${toHour24(hour, letter)}:${minute}:${second}` : ''}`)
    ?.wallTime;
}

/** Converts an hour with `a` or `p` (AM, PM) to 24 hours: 12 AM is midnight, 12 PM noon. */
function toHour24(hourText: string, meridiemLetter: string | undefined): string {
  const hour = Number(hourText);
  const is12Hour = meridiemLetter !== undefined && hour >= 1 && hour <= 12;
  const hour24 = is12Hour ? (hour % 12) + (meridiemLetter.toLowerCase() === 'p' ? 12 : 0) : hour;
  return String(hour24).padStart(2, '0');
}
