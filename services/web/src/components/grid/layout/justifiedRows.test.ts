import { describe, expect, it } from 'vitest';
import { justifyRows, type GridLayout } from './justifiedRows.ts';

const size = { width: 1000, targetHeight: 200, gap: 4 };

const rightEdges = ({ rows, lefts, widths }: GridLayout): number[] =>
  rows.map(({ end }) => (lefts[end - 1] ?? 0) + (widths[end - 1] ?? 0));

/** Aspect ratios of a typical library, deterministic. */
const mixedRatios = (count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, index) => [1.333, 0.75, 1.5, 1.778, 0.5625, 1, 1.333][(index * 5) % 7] ?? 1);

describe('justified rows', () => {
  it('are empty without items', () => {
    expect(justifyRows([], size)).toMatchObject({ rows: [], height: 0 });
  });

  it('fill the width exactly, except for the last one', () => {
    const layout = justifyRows(mixedRatios(500), size);
    expect(rightEdges(layout).slice(0, -1)).toSatisfy((edges: number[]) => edges.every((edge) => edge === 1000));
    expect(rightEdges(layout).at(-1)).toBeLessThanOrEqual(1000);
  });

  it('contain every item once, in order', () => {
    const { rows } = justifyRows(mixedRatios(500), size);
    expect(rows[0]?.first).toBe(0);
    expect(rows.at(-1)?.end).toBe(500);
    for (const [index, row] of rows.entries()) expect(row.first).toBe(rows[index - 1]?.end ?? 0);
  });

  it('have heights close to the target', () => {
    const heights = justifyRows(mixedRatios(500), size).rows.map(({ height }) => height);
    expect(Math.min(...heights)).toBeGreaterThan(140);
    expect(Math.max(...heights)).toBeLessThanOrEqual(280);
  });

  it('are stacked with the gap between them', () => {
    const { rows, height } = justifyRows(mixedRatios(100), size);
    for (const [index, row] of rows.entries()) {
      const before = rows[index - 1];
      if (before !== undefined) expect(row.top).toBe(before.top + before.height + 4);
    }
    expect(height).toBe((rows.at(-1)?.top ?? 0) + (rows.at(-1)?.height ?? 0));
  });

  it('do not enlarge a single picture', () => {
    expect(justifyRows([0.75], size)).toMatchObject({ rows: [{ height: 200 }], widths: Float32Array.of(150) });
  });

  it('stretch the last row when it is nearly full', () => {
    expect(rightEdges(justifyRows([1.5, 1.5, 1.5], size))).toEqual([1000]);
  });

  it.each([
    { ratio: 5, height: 200, name: 'fits exactly' },
    { ratio: 7, height: 143, name: 'lower than the target' },
    { ratio: 30, height: 120, name: 'cropped to the minimum height' },
  ])('give a panorama its own row: $name', ({ ratio, height }) => {
    const layout = justifyRows([1.5, 1.5, 1.5, ratio, 1.5, 1.5, 1.5], size);
    expect(layout.rows.map((row) => row.end - row.first)).toEqual([3, 1, 3]);
    expect(layout.rows[1]?.height).toBe(height);
  });

  it('crop extremely narrow pictures', () => {
    expect(justifyRows([0.05], size).widths[0]).toBe(90);
  });

  it('fit a page narrower than one picture', () => {
    const layout = justifyRows([1.5, 1.5], { width: 120, targetHeight: 120, gap: 4 });
    expect(rightEdges(layout)).toEqual([120, 120]);
  });
});
