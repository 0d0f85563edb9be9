import { lastRowFrom } from '../../../components/grid/input/gridNavigation.ts';
import type { SectionGrid } from './sectionGrid.ts';
import type { SectionLayout } from './sectionLayout.ts';

/** A section, which is a month or a day of a month of many items, and where it is in the timeline, in CSS pixels from its beginning. */
export interface SectionPlace {
  /** `2022-04` or `2022-04-03`. */
  readonly section: string;
  readonly count: number;
  readonly top: number;
  readonly height: number;
  /** What is in it, once that is known; the height is an estimate until then. */
  readonly grid: SectionGrid | undefined;
  readonly layout: SectionLayout | undefined;
}

/** A month, with all its sections. */
export interface MonthPlace {
  /** `2022-04`. */
  readonly month: string;
  readonly count: number;
  readonly top: number;
}

/** All sections, the last one first, below one another. */
export interface TimelineGeometry {
  readonly sections: readonly SectionPlace[];
  readonly months: readonly MonthPlace[];
  readonly height: number;
}

/** The month of a section. */
export const monthOf = (section: string): string => section.slice(0, 7);

/** A section before it is known where it begins. */
export type UnplacedSection = Omit<SectionPlace, 'top'>;

/** Puts sections below one another. Whatever is where it was in `before`, and the same, is the same object again. */
export const stackSections = (sections: readonly UnplacedSection[], before?: TimelineGeometry): TimelineGeometry => {
  let height = 0;
  const placed: SectionPlace[] = [];
  const months: MonthPlace[] = [];
  for (const [number, section] of sections.entries()) {
    const known = before?.sections[number];
    placed.push(known === section && known.top === height ? known : { ...section, top: height });
    const month = monthOf(section.section);
    const last = months.at(-1);
    if (last?.month === month) months[months.length - 1] = { ...last, count: last.count + section.count };
    else months.push({ month, count: section.count, top: height });
    height += section.height;
  }
  return { sections: placed, months, height };
};

/** The number of the month that lies at a height; the first or the last one beyond them. */
export const monthAt = ({ months }: TimelineGeometry, y: number): number => lastRowFrom(months, y, ({ top }) => top);

/** The number of the section that lies at a height; the first or the last one beyond them. */
export const sectionAt = ({ sections }: TimelineGeometry, y: number): number =>
  lastRowFrom(sections, y, ({ top }) => top);

/** The sections that are at least partly between two heights. */
export const sectionsBetween = (geometry: TimelineGeometry, from: number, to: number): readonly SectionPlace[] =>
  geometry.height === 0 ? [] : geometry.sections.slice(sectionAt(geometry, from), sectionAt(geometry, to) + 1);

/** What is at the upper edge of the screen: by it the place is found again when heights above it have changed. */
export type Anchor =
  | {
      readonly section: string;
      readonly kind: 'item';
      readonly id: string;
      readonly index: number;
      readonly below: number;
    }
  | { readonly section: string; readonly kind: 'part'; readonly part: number };

/** What lies at a height: the first item of the row there, or a part of a section's height where its items are not known. */
export const anchorAt = (geometry: TimelineGeometry, y: number): Anchor | undefined => {
  const place = geometry.sections[sectionAt(geometry, y)];
  if (place === undefined) return undefined;
  const inside = y - place.top;
  const first = place.layout?.rows[0];
  if (place.layout === undefined || place.grid === undefined || first === undefined || inside < first.top)
    return { section: place.section, kind: 'part', part: inside / place.height };
  const row = place.layout.rows[lastRowFrom(place.layout.rows, inside, ({ top }) => top)] ?? first;
  return {
    section: place.section,
    kind: 'item',
    id: place.grid.ids[row.first] ?? '',
    index: row.first,
    below: inside - row.top,
  };
};

/** The height at which an anchor lies now. Of a section that is gone, where its month, or else the next earlier section, begins. */
export const placeOfAnchor = (geometry: TimelineGeometry, anchor: Anchor): number => {
  const { section } = anchor;
  const place = geometry.sections.find((each) => each.section === section);
  if (place === undefined) return placeOfVanished(geometry, anchor);
  if (anchor.kind === 'part') return place.top + anchor.part * place.height;
  if (place.layout === undefined || place.grid === undefined)
    return place.top + (anchor.index / Math.max(1, place.count)) * place.height + anchor.below;
  const found = place.grid.ids[anchor.index] === anchor.id ? anchor.index : place.grid.ids.indexOf(anchor.id);
  const index = found === -1 ? Math.min(anchor.index, place.grid.ids.length - 1) : found;
  return place.top + topOfIndex(place.layout, index) + anchor.below;
};

/** A month becomes days as soon as it has many items, and days a month again. */
function placeOfVanished({ sections, height }: TimelineGeometry, anchor: Anchor): number {
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

/** How far below the section's upper edge the row of an item begins. */
export const topOfIndex = (layout: SectionLayout, index: number): number =>
  layout.rows[lastRowFrom(layout.rows, index, ({ first }) => first)]?.top ?? 0;
