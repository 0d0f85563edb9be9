import type { TimelineGeometry } from './timelineGeometry.ts';

/** Mark on the scrubber: a year, or a month if `year` is undefined. */
export interface Tick {
  readonly month: string;
  readonly year: string | undefined;
  /**
   * Whole CSS pixels from the top of the track. Rounding keeps ticks in place after small changes of estimated
   * heights.
   */
  readonly y: number;
}

/**
 * Minimum distances that prevent overlaps, in CSS pixels: between two years, and between two months. A month and a year
 * need half the distance of two years.
 */
const minDistance = { year: 22, month: 7 } as const;

/** Returns the ticks for a track height: all years that fit, latest first, and months between them. */
export const makeScrubberTicks = ({ months, height }: TimelineGeometry, trackHeight: number): readonly Tick[] => {
  const places = months.map(({ month, top }, number) => ({
    month,
    y: height === 0 ? 0 : Math.round((top / height) * trackHeight),
    isYear: month.slice(0, 4) !== months[number - 1]?.month.slice(0, 4),
  }));
  const years: Tick[] = [];
  for (const { month, y, isYear } of places) {
    const hasSpaceFor =
      years.every((tick) => y - tick.y >= minDistance.year) && y <= trackHeight - minDistance.year / 2;
    if (isYear && (years.length === 0 || hasSpaceFor)) years.push({ month, y, year: month.slice(0, 4) });
  }
  const ticks: Tick[] = [];
  let nextYear = 0;
  for (const { month, y } of places) {
    const year = years[nextYear];
    if (year?.month === month) {
      ticks.push(year);
      nextYear += 1;
      continue;
    }
    const before = ticks.at(-1);
    const hasSpace =
      (before === undefined || y - before.y >= getDistanceAfter(before)) &&
      (year === undefined || year.y - y >= minDistance.year / 2);
    if (hasSpace) ticks.push({ month, y, year: undefined });
  }
  return ticks;
};

function getDistanceAfter(tick: Tick): number {
  return tick.year === undefined ? minDistance.month : minDistance.year / 2;
}
