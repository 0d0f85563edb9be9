import { describe, expect, it } from 'vitest';
import { makeScrubberTicks } from './scrubberTicks.ts';
import { stackSections } from './timelineGeometry.ts';

/** Creates a timeline of whole years, with month heights given by the function. */
const makeTimeline = (newestYear: number, oldestYear: number, height: (month: string) => number) =>
  stackSections(
    Array.from({ length: (newestYear - oldestYear + 1) * 12 }, (_, number) => {
      const month = `${newestYear - Math.floor(number / 12)}-${String(12 - (number % 12)).padStart(2, '0')}`;
      return { section: month, count: 1, height: height(month), grid: undefined, layout: undefined };
    }),
  );

const listYears = (ticks: ReturnType<typeof makeScrubberTicks>): (string | undefined)[] =>
  ticks.map(({ year }) => year).filter((year) => year !== undefined);

describe('scrubber ticks', () => {
  it('include every year when there is space', () => {
    expect(
      listYears(
        makeScrubberTicks(
          makeTimeline(2024, 2020, () => 100),
          600,
        ),
      ),
    ).toEqual(['2024', '2023', '2022', '2021', '2020']);
  });

  it('never overlap, with many years and with nearly empty ones', () => {
    const ticks = makeScrubberTicks(
      makeTimeline(2024, 1940, (month) => (month > '2010' ? 5000 : 10)),
      600,
    );
    const years = ticks.filter(({ year }) => year !== undefined);
    for (const [index, { y }] of years.entries()) expect(y - (years[index - 1]?.y ?? -100)).toBeGreaterThanOrEqual(22);
    for (const [index, { y }] of ticks.entries()) expect(y - (ticks[index - 1]?.y ?? -100)).toBeGreaterThanOrEqual(7);
    expect(years[0]?.year).toBe('2024');
  });

  it('are empty without months', () => {
    expect(makeScrubberTicks(stackSections([]), 600)).toEqual([]);
  });
});
