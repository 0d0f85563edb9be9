import type { TagTime } from './tagTime.ts';

/**
 * Years whose first day is the zero of clocks that were never set: QuickTime's (1904), Unix's (1970), that of MS-DOS and of memory cards'
 * file systems (1980), and that of many cameras (2000).
 */
export const clockEpochYears = [1904, 1970, 1980, 2000] as const;

/** Whether a time is the zero of a clock and no date at all. Midnight of 2000 is not: people took pictures at that moment. */
export const isClockZero = (time: TagTime): boolean =>
  isFirstDayOfClock(time) && time.wall.year !== 2000 && time.wall.equals(time.wall.startOf('day'));

/**
 * Whether a time is on the first day of a clock that was never set; every other source takes precedence then. Mere dates do not count:
 * people write the first of January for a year of which they know no more.
 */
export const isFirstDayOfClock = ({ wall, hasTime }: TagTime): boolean =>
  hasTime && wall.month === 1 && wall.day === 1 && clockEpochYears.some((year) => year === wall.year);
