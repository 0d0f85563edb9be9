import { estimateSectionHeight, layOutSection, type SectionLayout, type TimelineSize } from './sectionLayout.ts';
import type { SectionGrid } from './sectionGrid.ts';
import { monthOf, stackSections, type TimelineGeometry } from './timelineGeometry.ts';

/** Remembers what was computed of sections at one size of the page. */
export interface Layouts {
  /** All sections below one another: exact heights of those whose grid is given, or was given before, estimates of the others. The same object while nothing has changed. */
  readonly stack: (
    sections: readonly { readonly date: string; readonly count: number }[],
    gridOf: (section: string) => SectionGrid | undefined,
  ) => TimelineGeometry;
}

/** Layouts at a size. A layout lives as long as its grid; the height of a section is kept after that. */
export const makeLayouts = (size: TimelineSize): Layouts => {
  const layouts = new WeakMap<SectionGrid, { readonly hasTitle: boolean; readonly layout: SectionLayout }>();
  const heights = new Map<string, { readonly count: number; readonly hasTitle: boolean; readonly height: number }>();
  const untitled: TimelineSize = { ...size, titleHeight: 0 };
  const layoutOf = (grid: SectionGrid, hasTitle: boolean): SectionLayout => {
    const known = layouts.get(grid);
    if (known?.hasTitle === hasTitle) return known.layout;
    const layout = layOutSection(grid, hasTitle ? size : untitled);
    layouts.set(grid, { hasTitle, layout });
    return layout;
  };
  const place = (section: string, count: number, hasTitle: boolean, grid: SectionGrid | undefined) => {
    const layout = grid && layoutOf(grid, hasTitle);
    if (layout !== undefined) heights.set(section, { count, hasTitle, height: layout.height });
    const known = heights.get(section);
    const isKnown = known?.count === count && known.hasTitle === hasTitle;
    const height = isKnown ? known.height : estimateSectionHeight(section, count, hasTitle ? size : untitled);
    return { section, count, grid, layout, height: layout?.height ?? height };
  };
  let last: { readonly sections: readonly unknown[]; readonly geometry: TimelineGeometry } | undefined;
  return {
    stack: (sections, gridOf) => {
      const isSame =
        last?.sections === sections && last.geometry.sections.every(({ section, grid }) => gridOf(section) === grid);
      if (last === undefined || !isSame) {
        const places = sections.map(({ date, count }, number) =>
          place(date, count, beginsMonth(sections, number), gridOf(date)),
        );
        last = { sections, geometry: stackSections(places) };
      }
      return last.geometry;
    },
  };
};

/** Whether a section is the first one of its month, whose title is above it. */
function beginsMonth(sections: readonly { readonly date: string }[], number: number): boolean {
  const before = sections[number - 1];
  return before === undefined || monthOf(before.date) !== monthOf(sections[number]?.date ?? '');
}
