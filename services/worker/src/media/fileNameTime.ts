import type { DateTime } from 'luxon';
import { parseTagTime } from './tagTime.ts';

/**
 * `Screenshot_2024-02-01-10-20-30.png`, `2018-04-12 19_24_49.jpg`, `IMG_20180725_163423123.jpg`, and without a time
 * `IMG-20190504-WA0001.jpg`. Digits on either side make it some other number.
 */
const namePattern =
  /(?<!\d)((?:19|20)\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:(?:[-_.T ]+|[-_ ]*at )([0-2]\d)[-_.:]?([0-5]\d)[-_.:]?([0-5]\d)(?:\d{3})?)?(?!\d)/;

/**
 * The date in a file's name as a clock on the wall, written as if it were UTC, at noon where the name has no time;
 * undefined when there is none.
 */
export function findFileNameTime(filename: string): DateTime<true> | undefined {
  const [, year, month, day, hour, minute, second] = namePattern.exec(filename) ?? [];
  if (!year) return undefined;
  return parseTagTime(`${year}:${month}:${day}${hour ? ` ${hour}:${minute}:${second}` : ''}`)?.wall;
}
