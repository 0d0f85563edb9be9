import { estimateSectionHeight, layOutSection, type SectionLayout, type TimelineSize } from './sectionLayout.ts';
import type { SectionGrid } from './sectionGrid.ts';
import { getMonth, stackSections, type TimelineGeometry, type UnplacedSection } from './timelineGeometry.ts';

interface SectionCount {
  readonly date: string;
  readonly count: number;
}

type SectionGrids = ReadonlyMap<string, SectionGrid | undefined>;

/** Inputs and result of the last call of `stack`. */
interface Stack {
  readonly sections: readonly SectionCount[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly grids: SectionGrids;
  readonly geometry: TimelineGeometry;
}

/** Cache of section layouts for one page size. */
export interface Layouts {
  /**
   * Stacks all sections. Heights are exact for sections whose grid is or was loaded, and estimates for the others.
   * Returns the same object for the same inputs. After a change of grids, recomputes only their sections.
   */
  readonly stack: (sections: readonly SectionCount[], grids: SectionGrids) => TimelineGeometry;
}

/** Creates the cache. Layouts are released with their grids; heights are kept. */
export const makeLayouts = (size: TimelineSize): Layouts => {
  const layouts = new WeakMap<SectionGrid, { readonly hasTitle: boolean; readonly layout: SectionLayout }>();
  const heights = new Map<string, { readonly count: number; readonly hasTitle: boolean; readonly height: number }>();
  const untitled: TimelineSize = { ...size, titleHeight: 0 };
  const getLayout = (grid: SectionGrid, hasTitle: boolean): SectionLayout => {
    const known = layouts.get(grid);
    if (known?.hasTitle === hasTitle) return known.layout;
    const layout = layOutSection(grid, hasTitle ? size : untitled);
    layouts.set(grid, { hasTitle, layout });
    return layout;
  };
  const place = (section: string, count: number, hasTitle: boolean, grid: SectionGrid | undefined): UnplacedSection => {
    const layout = grid && getLayout(grid, hasTitle);
    if (layout !== undefined) heights.set(section, { count, hasTitle, height: layout.height });
    const known = heights.get(section);
    const isKnown = known?.count === count && known.hasTitle === hasTitle;
    const height = isKnown ? known.height : estimateSectionHeight(section, count, hasTitle ? size : untitled);
    return { section, count, grid, layout, height: layout?.height ?? height };
  };
  const makePlace = (sections: readonly SectionCount[], number: number, grids: SectionGrids): UnplacedSection => {
    const { date = '', count = 0 } = sections[number] ?? {};
    return place(date, count, isFirstOfMonth(sections, number), grids.get(date));
  };
  const rebuildStack = (sections: readonly SectionCount[], grids: SectionGrids): Stack => ({
    sections,
    numbers: new Map(sections.map(({ date }, number) => [date, number])),
    grids,
    geometry: stackSections(sections.map((_, number) => makePlace(sections, number, grids))),
  });
  const updateStack = (before: Stack, grids: SectionGrids): Stack => {
    const changed = [...new Set([...before.grids.keys(), ...grids.keys()])]
      .filter((section) => before.grids.get(section) !== grids.get(section))
      .flatMap((section) => before.numbers.get(section) ?? []);
    if (changed.length === 0) return before;
    const places: UnplacedSection[] = [...before.geometry.sections];
    for (const number of changed) places[number] = makePlace(before.sections, number, grids);
    return { ...before, grids, geometry: stackSections(places, before.geometry) };
  };
  let last: Stack | undefined;
  return {
    stack: (sections, grids) => {
      last = last?.sections === sections ? updateStack(last, grids) : rebuildStack(sections, grids);
      return last.geometry;
    },
  };
};

/** Returns whether a section is the first of its month, which has the title above it. */
function isFirstOfMonth(sections: readonly { readonly date: string }[], number: number): boolean {
  const before = sections[number - 1];
  return before === undefined || getMonth(before.date) !== getMonth(sections[number]?.date ?? '');
}
