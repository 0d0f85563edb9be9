import { describe, expect, it } from 'vitest';
import { estimateSectionHeight, layOutSection, type TimelineSize } from './sectionLayout.ts';

const size: TimelineSize = {
  width: 1000,
  targetHeight: 200,
  gap: 4,
  titleHeight: 60,
  headingHeight: 40,
  dayMargin: 20,
  dayGap: 24,
  minDayWidth: 150,
};

const month = (counts: readonly number[], ratio = 1.5) => ({
  days: counts.map((count, number) => ({ date: `2022-04-${30 - number}`, count, places: [] })),
  dayStarts: counts.map((_, number) => counts.slice(0, number).reduce((sum, count) => sum + count, 0)),
  ratios: new Float32Array(counts.reduce((sum, count) => sum + count, 0)).fill(ratio),
});

describe('month layout', () => {
  it('gives a day with many pictures its own rows below its heading', () => {
    const { days, rows } = layOutSection(month([12]), size);
    expect(days).toEqual([{ number: 0, first: 0, end: 12, left: 0, top: 60, width: 1000 }]);
    expect(rows[0]).toMatchObject({ first: 0, top: 100 });
    expect(rows.at(-1)?.end).toBe(12);
  });

  it('puts small days next to each other, each below its heading', () => {
    const { days, rows, lefts, height } = layOutSection(month([1, 1]), size);
    expect(days.map(({ left, top }) => [left, top])).toEqual([
      [0, 60],
      [324, 60],
    ]);
    expect(lefts[1]).toBe(324);
    expect(rows).toEqual([{ first: 0, end: 2, top: 100, height: 200 }]);
    expect(height).toBe(60 + 40 + 200 + 20);
  });

  it('stretches nearly full rows of small days to the width', () => {
    const { rows, lefts, widths } = layOutSection(month([1, 2]), size);
    expect(rows[0]?.height).toBeGreaterThan(200);
    expect((lefts[2] ?? 0) + (widths[2] ?? 0)).toBe(1000);
  });

  it('reserves space for the heading above a narrow picture', () => {
    const { days } = layOutSection(month([1, 1, 1], 0.5), size);
    expect(days.map(({ left, width }) => [left, width])).toEqual([
      [0, 150],
      [174, 150],
      [348, 150],
    ]);
  });

  it('contains every item once, in order', () => {
    const counts = [1, 3, 40, 1, 1, 7, 2, 300, 1];
    const { rows, days } = layOutSection(month(counts, 1.333), size);
    expect(rows.at(-1)?.end).toBe(356);
    for (const [index, row] of rows.entries()) expect(row.first).toBe(rows[index - 1]?.end ?? 0);
    expect(days.map(({ end, first }) => end - first)).toEqual(counts);
  });

  it.each([5, 60, 400, 5000, 45_000])('estimates the height of a month with %i items within a third', (count) => {
    const days = Math.min(30, count);
    const counts = Array.from(
      { length: days },
      (_, day) => Math.floor(((day + 1) * count) / days) - Math.floor((day * count) / days),
    );
    const exact = layOutSection(month(counts, 1.2), size).height;
    const estimate = estimateSectionHeight('2022-04', count, size);
    expect(estimate / exact).toBeGreaterThan(0.66);
    expect(estimate / exact).toBeLessThan(1.5);
  });

  it.each([2, 30, 300, 2000])('estimates the height of a day with %i items within a third', (count) => {
    const untitled = { ...size, titleHeight: 0 };
    const exact = layOutSection(month([count], 1.2), untitled).height;
    const estimate = estimateSectionHeight('2022-04-03', count, untitled);
    expect(estimate / exact).toBeGreaterThan(0.66);
    expect(estimate / exact).toBeLessThan(1.5);
  });
});
