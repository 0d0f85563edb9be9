import type { TimelineGeometry } from './timelineGeometry.ts';

/** A mark on the scrubber: a year, or a month where `year` is missing. */
export interface Tick {
  readonly month: string;
  readonly year: string | undefined;
  /** In whole CSS pixels from the scrubber's upper end, so that marks stay as they are while heights become known that move them by less. */
  readonly y: number;
}

/** Years are at least this far apart, months from whatever is next to them, in CSS pixels; one would overlap the other otherwise. */
const leastDistance = { year: 22, month: 7 } as const;

/** The marks of a scrubber of this height: as many years as there is room for, from the latest on, and months between them. */
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
