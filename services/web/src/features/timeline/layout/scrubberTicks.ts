import type { TimelineGeometry } from './timelineGeometry.ts';

/** Mark on the scrubber: a year, or a month if `year` is undefined. */
export interface Tick {
  readonly month: string;
  readonly year: string | undefined;
  /**
   * Whole CSS pixels from the top of the scrubber. Rounding keeps ticks in place after small changes of estimated
   * heights.
   */
  readonly y: number;
}

/** Minimum distances that prevent overlaps: between years, and from a month to the next mark, in CSS pixels. */
const leastDistance = { year: 22, month: 7 } as const;

/** Returns the ticks for a track height: all years that fit, latest first, and months between them. */
export const scrubberTicks = ({ months, height }: TimelineGeometry, trackHeight: number): readonly Tick[] => {
  const places = months.map(({ month, top }, number) => ({
    month,
    y: height === 0 ? 0 : Math.round((top / height) * trackHeight),
    isYear: month.slice(0, 4) !== months[number - 1]?.month.slice(0, 4),
  }));
  const years: Tick[] = [];
  for (const { month, y, isYear } of places) {
    const fits = years.every((tick) => y - tick.y >= leastDistance.year) && y <= trackHeight - leastDistance.year / 2;
    if (isYear && (years.length === 0 || fits)) years.push({ month, y, year: month.slice(0, 4) });
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
    const isFree =
      (before === undefined || y - before.y >= distanceAfter(before)) &&
      (year === undefined || year.y - y >= leastDistance.year / 2);
    if (isFree) ticks.push({ month, y, year: undefined });
  }
  return ticks;
};

function distanceAfter(tick: Tick): number {
  return tick.year === undefined ? leastDistance.month : leastDistance.year / 2;
}
