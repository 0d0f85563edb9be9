import type { TagTime } from './tagTime.ts';

/**
 * Years on whose first day clocks begin that were never set: QuickTime's (1904), Unix's (1970), MS-DOS's and with it the
 * file systems of memory cards (1980), and that of many cameras (2000).
 */
export const clockEpochYears = [1904, 1970, 1980, 2000] as const;

/** Whether this is the zero of a clock and no date at all. Midnight of 2000 was a moment that people took pictures of. */
export const isClockZero = (time: TagTime): boolean =>
  isFirstDayOfClock(time) && time.wall.year !== 2000 && time.wall.equals(time.wall.startOf('day'));

/**
 * Whether this is the first day of a clock that was never set, which every other witness goes before. Mere dates are none: people write
 * them, for a year of which they know no more.
 */
export const isFirstDayOfClock = ({ wall, hasTime }: TagTime): boolean =>
  hasTime && wall.month === 1 && wall.day === 1 && clockEpochYears.some((year) => year === wall.year);
