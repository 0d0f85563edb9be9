import { findLastRow } from '../../../components/grid/input/gridNavigation.ts';
import type { SectionGrid } from './sectionGrid.ts';
import type { SectionLayout } from './sectionLayout.ts';

/** Section (a month, or a day of a large month) and its position, in CSS pixels from the top of the timeline. */
export interface SectionPlace {
  /** `2022-04` or `2022-04-03`. */
  readonly section: string;
  readonly count: number;
  readonly top: number;
  readonly height: number;
  /** Undefined while the section is not loaded. If it never was, `height` is an estimate. */
  readonly grid: SectionGrid | undefined;
  readonly layout: SectionLayout | undefined;
}

/** Month with all its sections. */
export interface MonthPlace {
  /** `2022-04`. */
  readonly month: string;
  readonly count: number;
  readonly top: number;
}

/** All sections, latest first. */
export interface TimelineGeometry {
  readonly sections: readonly SectionPlace[];
  readonly months: readonly MonthPlace[];
  readonly height: number;
}

export const getMonth = (section: string): string => section.slice(0, 7);

export type UnplacedSection = Omit<SectionPlace, 'top'>;

/** Stacks sections. Reuses the objects of `before` that are unchanged. */
export const stackSections = (sections: readonly UnplacedSection[], before?: TimelineGeometry): TimelineGeometry => {
  let height = 0;
  const placed: SectionPlace[] = [];
  const months: MonthPlace[] = [];
  for (const [number, section] of sections.entries()) {
    const known = before?.sections[number];
    placed.push(known === section && known.top === height ? known : { ...section, top: height });
    const month = getMonth(section.section);
    const last = months.at(-1);
    if (last?.month === month) months[months.length - 1] = { ...last, count: last.count + section.count };
    else months.push({ month, count: section.count, top: height });
    height += section.height;
  }
  return { sections: placed, months, height };
};

/** Returns the index of the month at a position, clamped to the first and last. */
export const getMonthAt = ({ months }: TimelineGeometry, y: number): number => findLastRow(months, y, ({ top }) => top);

/** Returns the index of the section at a position, clamped to the first and last. */
export const getSectionAt = ({ sections }: TimelineGeometry, y: number): number =>
  findLastRow(sections, y, ({ top }) => top);

/** Returns the sections that overlap a vertical range. */
export const listSections = (geometry: TimelineGeometry, from: number, to: number): readonly SectionPlace[] =>
  geometry.height === 0 ? [] : geometry.sections.slice(getSectionAt(geometry, from), getSectionAt(geometry, to) + 1);

/**
 * Scroll anchor: the item or the section at the top of the screen. Restores the position after heights above it have
 * changed.
 */
export type Anchor =
  | {
      readonly section: string;
      readonly kind: 'item';
      readonly id: string;
      readonly index: number;
      /** Distance from the top of the item's row, in CSS pixels. */
      readonly below: number;
    }
  /** `part`: fraction of the section's height, from 0 to 1. */
  | { readonly section: string; readonly kind: 'part'; readonly part: number };

/**
 * Returns the anchor at a position: the first item of the row. Above the first row, or in a section that is not loaded,
 * it is a fraction of the section's height.
 */
export const getAnchorAt = (geometry: TimelineGeometry, y: number): Anchor | undefined => {
  const place = geometry.sections[getSectionAt(geometry, y)];
  if (place === undefined) return undefined;
  const inside = y - place.top;
  const first = place.layout?.rows[0];
  if (place.layout === undefined || place.grid === undefined || first === undefined || inside < first.top)
    return { section: place.section, kind: 'part', part: inside / place.height };
  const row = place.layout.rows[findLastRow(place.layout.rows, inside, ({ top }) => top)] ?? first;
  return {
    section: place.section,
    kind: 'item',
    id: place.grid.ids[row.first] ?? '',
    index: row.first,
    below: inside - row.top,
  };
};

/**
 * Returns the current position of an anchor, in CSS pixels from the top of the timeline. If the month of an item was
 * split into days, the position is an estimate. For other sections that do not exist, it is the start of their month or
 * of the next earlier section, or the end of the timeline.
 */
export const getAnchorTop = (geometry: TimelineGeometry, anchor: Anchor): number => {
  const { section } = anchor;
  const place = geometry.sections.find((each) => each.section === section);
  if (place === undefined) return getTopOfReplacedSection(geometry, anchor);
  if (anchor.kind === 'part') return place.top + anchor.part * place.height;
  if (place.layout === undefined || place.grid === undefined)
    return place.top + (anchor.index / Math.max(1, place.count)) * place.height + anchor.below;
  const found = place.grid.ids[anchor.index] === anchor.id ? anchor.index : place.grid.ids.indexOf(anchor.id);
  const index = found === -1 ? Math.min(anchor.index, place.grid.ids.length - 1) : found;
  return place.top + getRowTop(place.layout, index) + anchor.below;
};

/** Handles months that were split into days because of many items, or merged again. */
function getTopOfReplacedSection({ sections, height }: TimelineGeometry, anchor: Anchor): number {
  const days = sections.filter(({ section }) => section.startsWith(anchor.section));
  if (anchor.kind === 'item') {
    let index = anchor.index;
    for (const { count, top, height: dayHeight } of days) {
      if (index < count) return top + (index / count) * dayHeight + anchor.below;
      index -= count;
    }
  }
  const next = days[0] ?? sections.find(({ section }) => section <= anchor.section);
  return next?.top ?? height;
}

/** Returns the top of an item's row, relative to the section. */
export const getRowTop = (layout: SectionLayout, index: number): number =>
  layout.rows[findLastRow(layout.rows, index, ({ first }) => first)]?.top ?? 0;
