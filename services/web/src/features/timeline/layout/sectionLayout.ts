import {
  justifyRows,
  placeRow,
  clampRatio,
  type GridLayout,
  type GridRow,
  type RowSize,
  getRowSize,
} from '../../../components/grid/layout/justifiedRows.ts';
import type { SectionGrid } from './sectionGrid.ts';

/** Sizes of titles and margins, in CSS pixels. They scale with the text size. */
export interface TimelineSize extends RowSize {
  /** Month title; 0 for sections after the first of a month. */
  readonly titleHeight: number;
  /** Day heading above the pictures. */
  readonly headingHeight: number;
  /** Margin below the pictures of a day. */
  readonly dayMargin: number;
  /** Gap between days in the same row. */
  readonly dayGap: number;
  /** Minimum width of a day, for its heading. */
  readonly minDayWidth: number;
}

/** Position of a day's heading. The day has the items from `first` to before `end`. */
export interface DayLayout {
  readonly number: number;
  readonly first: number;
  readonly end: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
}

/** Layout of a section, relative to its top. */
export interface SectionLayout extends GridLayout {
  readonly days: readonly DayLayout[];
}

/** Maximum enlargement of a row of small days to fill the width. */
const maxGrowth = 1.3;

/**
 * Lays out a section in linear time. Days with many pictures have their own rows, small days share rows, and each day
 * is below its heading.
 */
export const layOutSection = (
  grid: Pick<SectionGrid, 'days' | 'dayStarts' | 'ratios'>,
  size: TimelineSize,
): SectionLayout => {
  const placed = { lefts: new Float32Array(grid.ratios.length), widths: new Float32Array(grid.ratios.length) };
  const rows: GridRow[] = [];
  const days: DayLayout[] = [];
  let top = size.titleHeight;
  let band: SmallDay[] = [];
  const closeBand = (): void => {
    if (band.length === 0) return;
    const height = getBandHeight(band, size);
    let left = 0;
    for (const { number, first, end } of band) {
      const right = placeRow(placed, grid.ratios, { first, end, height, left }, size);
      const width = Math.max(Math.round(right) - left, size.minDayWidth);
      days.push({ number, first, end, left, top, width: Math.min(width, size.width - left) });
      left = left + width + size.dayGap;
    }
    rows.push({
      first: band[0]?.first ?? 0,
      end: band.at(-1)?.end ?? 0,
      top: top + size.headingHeight,
      height: Math.round(height),
    });
    top += size.headingHeight + Math.round(height) + size.dayMargin;
    band = [];
  };
  for (const [number, { count }] of grid.days.entries()) {
    const first = grid.dayStarts[number] ?? 0;
    const end = first + count;
    const ratioSum = sumRatios(grid.ratios, first, end, size);
    const day = { number, first, end, ratioSum };
    if (getBandWidth(day, size.targetHeight, size) <= size.width) {
      if (getWidth([...band, day], size.targetHeight, size) > size.width) closeBand();
      band.push(day);
    } else {
      closeBand();
      const dayGrid = justifyRows(grid.ratios.subarray(first, end), size);
      placed.lefts.set(dayGrid.lefts, first);
      placed.widths.set(dayGrid.widths, first);
      days.push({ number, first, end, left: 0, top, width: size.width });
      top += size.headingHeight;
      for (const row of dayGrid.rows)
        rows.push({ first: row.first + first, end: row.end + first, top: row.top + top, height: row.height });
      top += dayGrid.height + size.dayMargin;
    }
  }
  closeBand();
  return { ...placed, rows, days, height: top };
};

export const estimateSectionHeight = (section: string, count: number, size: TimelineSize): number => {
  const days = section.length === dayLength ? 1 : Math.min(30, Math.ceil(count ** 0.7));
  const perDay = (count / days) * typicalRatio * size.targetHeight;
  const bandCost = size.headingHeight + size.dayMargin;
  const isPacked = perDay + size.dayGap < size.width;
  // Days in shared rows leave some width empty, and days with several rows about half of the last row.
  const bands = isPacked ? Math.ceil((days * (perDay + size.dayGap) * 1.15) / size.width) : days;
  const rows = isPacked ? bands : days * Math.ceil(perDay / size.width);
  return Math.round(size.titleHeight + bands * bandCost + rows * (size.targetHeight + size.gap));
};

/** Length of the name of a section that is a day, such as `2022-04-03`. */
const dayLength = 10;

/** Mean aspect ratio (width / height) of a typical library: mostly 4:3, with 30% portrait. */
const typicalRatio = 1.2;

interface SmallDay {
  readonly number: number;
  readonly first: number;
  readonly end: number;
  readonly ratioSum: number;
}

function sumRatios(ratios: Float32Array, first: number, end: number, size: RowSize): number {
  let sum = 0;
  for (let index = first; index < end; index += 1) sum += clampRatio(ratios[index] ?? 1, size);
  return sum;
}

function getBandWidth({ ratioSum, first, end }: SmallDay, height: number, { gap }: RowSize): number {
  return ratioSum * height + gap * (end - first - 1);
}

function getWidth(band: readonly SmallDay[], height: number, size: TimelineSize): number {
  return band.reduce(
    (sum, day) => sum + Math.max(getBandWidth(day, height, size), size.minDayWidth),
    size.dayGap * (band.length - 1),
  );
}

/**
 * Returns the height that makes a row of days fill the width. Returns the target height if that would enlarge the row
 * too much, or if the minimum widths of the days would not fit.
 */
function getBandHeight(band: readonly SmallDay[], size: TimelineSize): number {
  const fixed = band.reduce(
    (sum, { first, end }) => sum + size.gap * (end - first - 1),
    size.dayGap * (band.length - 1),
  );
  const height = (size.width - fixed) / band.reduce((sum, { ratioSum }) => sum + ratioSum, 0);
  const isFull = height <= size.targetHeight * maxGrowth && getWidth(band, height, size) <= size.width + 1;
  return isFull ? height : size.targetHeight;
}

/** Returns the sizes for a page width and a text size of `rem`, both in CSS pixels. */
export const getTimelineSize = (width: number, rem: number): TimelineSize => ({
  ...getRowSize(width),
  titleHeight: Math.round(rem * 3.5),
  headingHeight: Math.round(Math.max(44, rem * 2.75)),
  dayMargin: Math.round(rem * 0.5),
  dayGap: Math.round(rem),
  minDayWidth: Math.round(Math.min(width, rem * 9.5)),
});
