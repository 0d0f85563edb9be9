import { estimateSectionHeight, layOutSection, type SectionLayout, type TimelineSize } from './sectionLayout.ts';
import type { SectionGrid } from './sectionGrid.ts';
import { monthOf, stackSections, type TimelineGeometry, type UnplacedSection } from './timelineGeometry.ts';

interface SectionCount {
  readonly date: string;
  readonly count: number;
}

/** The grids that are there, by section. */
type SectionGrids = ReadonlyMap<string, SectionGrid | undefined>;

/** What was stacked last. */
interface Stack {
  readonly sections: readonly SectionCount[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly grids: SectionGrids;
  readonly geometry: TimelineGeometry;
}

/** Remembers what was computed of sections at one size of the page. */
export interface Layouts {
  /**
   * All sections below one another: exact heights of those whose grid is given, or was given before, estimates of the others. The same object while nothing has changed; of
   * thousands of sections only those are looked at whose grids have.
   */
  readonly stack: (sections: readonly SectionCount[], grids: SectionGrids) => TimelineGeometry;
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
  const place = (section: string, count: number, hasTitle: boolean, grid: SectionGrid | undefined): UnplacedSection => {
    const layout = grid && layoutOf(grid, hasTitle);
    if (layout !== undefined) heights.set(section, { count, hasTitle, height: layout.height });
    const known = heights.get(section);
    const isKnown = known?.count === count && known.hasTitle === hasTitle;
    const height = isKnown ? known.height : estimateSectionHeight(section, count, hasTitle ? size : untitled);
    return { section, count, grid, layout, height: layout?.height ?? height };
  };
  const placeAt = (sections: readonly SectionCount[], number: number, grids: SectionGrids): UnplacedSection => {
    const { date = '', count = 0 } = sections[number] ?? {};
    return place(date, count, beginsMonth(sections, number), grids.get(date));
  };
  const stackAnew = (sections: readonly SectionCount[], grids: SectionGrids): Stack => ({
    sections,
    numbers: new Map(sections.map(({ date }, number) => [date, number])),
    grids,
    geometry: stackSections(sections.map((_, number) => placeAt(sections, number, grids))),
  });
  const stackAgain = (before: Stack, grids: SectionGrids): Stack => {
    const changed = [...new Set([...before.grids.keys(), ...grids.keys()])]
      .filter((section) => before.grids.get(section) !== grids.get(section))
      .flatMap((section) => before.numbers.get(section) ?? []);
    if (changed.length === 0) return before;
    const places: UnplacedSection[] = [...before.geometry.sections];
    for (const number of changed) places[number] = placeAt(before.sections, number, grids);
    return { ...before, grids, geometry: stackSections(places, before.geometry) };
  };
  let last: Stack | undefined;
  return {
    stack: (sections, grids) => {
      last = last?.sections === sections ? stackAgain(last, grids) : stackAnew(sections, grids);
      return last.geometry;
    },
  };
};

/** Whether a section is the first one of its month, whose title is above it. */
function beginsMonth(sections: readonly { readonly date: string }[], number: number): boolean {
  const before = sections[number - 1];
  return before === undefined || monthOf(before.date) !== monthOf(sections[number]?.date ?? '');
}
