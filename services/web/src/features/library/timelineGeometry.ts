import { lastRowFrom } from '../../media/grid/gridNavigation.ts';
import type { MonthGrid } from './monthGrid.ts';
import type { MonthLayout } from './monthLayout.ts';

/** A month and where it is in the timeline, in CSS pixels from its beginning. */
export interface MonthPlace {
  readonly month: string;
  readonly count: number;
  readonly top: number;
  readonly height: number;
  /** What is in it, once that is known; the height is an estimate until then. */
  readonly grid: MonthGrid | undefined;
  readonly layout: MonthLayout | undefined;
}

/** All months, the last one first, below one another. */
export interface TimelineGeometry {
  readonly months: readonly MonthPlace[];
  readonly height: number;
}

/** Puts months below one another. */
export const stackMonths = (months: readonly Omit<MonthPlace, 'top'>[]): TimelineGeometry => {
  let height = 0;
  const placed = months.map((month) => {
    const top = height;
    height += month.height;
    return { ...month, top };
  });
  return { months: placed, height };
};

/** The number of the month that lies at a height; the first or the last one beyond them. */
export const monthAt = ({ months }: TimelineGeometry, y: number): number => lastRowFrom(months, y, ({ top }) => top);

/** The months that are at least partly between two heights. */
export const monthsBetween = (geometry: TimelineGeometry, from: number, to: number): readonly MonthPlace[] =>
  geometry.height === 0 ? [] : geometry.months.slice(monthAt(geometry, from), monthAt(geometry, to) + 1);

/** What is at the upper edge of the screen: by it the place is found again when heights above it have changed. */
export type Anchor =
  | {
      readonly month: string;
      readonly kind: 'item';
      readonly id: string;
      readonly index: number;
      readonly below: number;
    }
  | { readonly month: string; readonly kind: 'part'; readonly part: number };

/** What lies at a height: the first item of the row there, or a part of a month's height where its items are not known. */
export const anchorAt = (geometry: TimelineGeometry, y: number): Anchor | undefined => {
  const place = geometry.months[monthAt(geometry, y)];
  if (place === undefined) return undefined;
  const inside = y - place.top;
  const first = place.layout?.rows[0];
  if (place.layout === undefined || place.grid === undefined || first === undefined || inside < first.top)
    return { month: place.month, kind: 'part', part: inside / place.height };
  const row = place.layout.rows[lastRowFrom(place.layout.rows, inside, ({ top }) => top)] ?? first;
  return {
    month: place.month,
    kind: 'item',
    id: place.grid.ids[row.first] ?? '',
    index: row.first,
    below: inside - row.top,
  };
};

/** The height at which an anchor lies now. Of a month that is gone, where the next earlier one begins. */
export const placeOfAnchor = (geometry: TimelineGeometry, anchor: Anchor): number => {
  const place = geometry.months.find(({ month }) => month <= anchor.month);
  if (place === undefined) return geometry.height;
  if (place.month !== anchor.month) return place.top;
  if (anchor.kind === 'part') return place.top + anchor.part * place.height;
  if (place.layout === undefined || place.grid === undefined)
    return place.top + (anchor.index / Math.max(1, place.count)) * place.height + anchor.below;
  const found = place.grid.ids[anchor.index] === anchor.id ? anchor.index : place.grid.ids.indexOf(anchor.id);
  const index = found === -1 ? Math.min(anchor.index, place.grid.ids.length - 1) : found;
  return place.top + topOfIndex(place.layout, index) + anchor.below;
};

/** How far below the month's upper edge the row of an item begins. */
export const topOfIndex = (layout: MonthLayout, index: number): number =>
  layout.rows[lastRowFrom(layout.rows, index, ({ first }) => first)]?.top ?? 0;
