import { estimateMonthHeight, layOutMonth, type MonthLayout, type TimelineSize } from './monthLayout.ts';
import type { MonthGrid } from './monthGrid.ts';
import { stackMonths, type TimelineGeometry } from './timelineGeometry.ts';

/** Remembers what was computed of months at one size of the page. */
export interface Layouts {
  /** All months below one another: exact heights of those whose grid is given, or was given before, estimates of the others. The same object while nothing has changed. */
  readonly stack: (
    months: readonly { readonly date: string; readonly count: number }[],
    gridOf: (month: string) => MonthGrid | undefined,
  ) => TimelineGeometry;
}

/** Layouts at a size. A layout lives as long as its grid; the height of a month is kept after that. */
export const makeLayouts = (size: TimelineSize): Layouts => {
  const layouts = new WeakMap<MonthGrid, MonthLayout>();
  const heights = new Map<string, { readonly count: number; readonly height: number }>();
  const layoutOf = (grid: MonthGrid): MonthLayout => {
    const known = layouts.get(grid) ?? layOutMonth(grid, size);
    layouts.set(grid, known);
    return known;
  };
  const heightOf = (month: string, count: number, layout: MonthLayout | undefined): number => {
    if (layout !== undefined) heights.set(month, { count, height: layout.height });
    const known = heights.get(month);
    return layout?.height ?? (known?.count === count ? known.height : estimateMonthHeight(count, size));
  };
  let last: { readonly months: readonly unknown[]; readonly geometry: TimelineGeometry } | undefined;
  return {
    stack: (months, gridOf) => {
      const isSame = last?.months === months && last.geometry.months.every(({ month, grid }) => gridOf(month) === grid);
      if (last === undefined || !isSame) {
        const places = months.map(({ date: month, count }) => {
          const grid = gridOf(month);
          const layout = grid === undefined ? undefined : layoutOf(grid);
          return { month, count, grid, layout, height: heightOf(month, count, layout) };
        });
        last = { months, geometry: stackMonths(places) };
      }
      return last.geometry;
    },
  };
};
