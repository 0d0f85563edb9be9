import { describe, expect, it } from 'vitest';
import { joinPages } from './sectionGrid.ts';
import { layOutSection } from './sectionLayout.ts';
import { fromScrolled, scrollScale, toScrolled } from './scrollScale.ts';
import {
  getAnchorAt,
  getMonthAt,
  listSections,
  getAnchorTop,
  stackSections,
  type SectionPlace,
} from './timelineGeometry.ts';

const size = {
  width: 1000,
  targetHeight: 200,
  gap: 4,
  titleHeight: 60,
  headingHeight: 40,
  dayMargin: 20,
  dayGap: 24,
  minDayWidth: 150,
};

const loaded = (section: string, ids: string[]): Omit<SectionPlace, 'top'> => {
  const empty = ids.map(() => null);
  const grid = joinPages(
    [
      {
        thumbnailPrefixes: [],
        days: [{ date: section.padEnd(10, '-03'), count: ids.length, places: [] }],
        ids,
        ratios: ids.map(() => 1.5),
        placeholders: empty,
        kinds: ids.map(() => 'PHOTO'),
        durations: empty,
        thumbnails: empty,
        favourites: [],
        processing: [],
        failed: [],
      },
    ],
    undefined,
  );
  const layout = layOutSection(grid, size);
  return { section, count: ids.length, height: layout.height, grid, layout };
};

const estimated = (section: string, count: number, height: number): Omit<SectionPlace, 'top'> => ({
  section,
  count,
  height,
  grid: undefined,
  layout: undefined,
});

const idsTo = (count: number): string[] => Array.from({ length: count }, (_, index) => `id${index}`);

describe('stacked sections', () => {
  const geometry = stackSections([
    estimated('2022-04', 5, 100),
    estimated('2022-03', 50, 900),
    estimated('2022-01', 1, 100),
  ]);

  it.each([
    [-5, 0],
    [0, 0],
    [99, 0],
    [100, 1],
    [1050, 2],
    [9999, 2],
  ])('resolve position %i to month index %i', (y, number) => {
    expect(getMonthAt(geometry, y)).toBe(number);
  });

  it('group days into months', () => {
    const { sections, months, height } = stackSections([
      estimated('2022-05', 5, 100),
      estimated('2022-04-30', 600, 3000),
      estimated('2022-04-03', 500, 2000),
      estimated('2022-03', 1, 100),
    ]);
    expect(months).toEqual([
      { month: '2022-05', count: 5, top: 0 },
      { month: '2022-04', count: 1100, top: 100 },
      { month: '2022-03', count: 1, top: 5100 },
    ]);
    expect([sections[2]?.top, height]).toEqual([3100, 5200]);
  });

  it('are found by a vertical range', () => {
    expect(listSections(geometry, 50, 100).map(({ section }) => section)).toEqual(['2022-04', '2022-03']);
    expect(listSections(stackSections([]), 0, 100)).toEqual([]);
  });
});

describe('scroll anchor', () => {
  it('keeps its row when a month above it loads', () => {
    const before = stackSections([estimated('2022-04', 30, 500), loaded('2022-03', idsTo(40))]);
    const after = stackSections([loaded('2022-04', idsTo(30)), loaded('2022-03', idsTo(40))]);
    const y = 500 + 400;
    const anchor = getAnchorAt(before, y);
    if (anchor === undefined) throw new Error('no anchor found');
    expect(getAnchorTop(after, anchor) - (after.sections[1]?.top ?? 0)).toBe(400);
  });

  it('keeps its row when new items are inserted before it', () => {
    const before = stackSections([loaded('2022-03', idsTo(40))]);
    const after = stackSections([
      loaded('2022-03', [...Array.from({ length: 9 }, (_, number) => `new${number}`), ...idsTo(40)]),
    ]);
    const anchor = getAnchorAt(before, 1000);
    if (anchor?.kind !== 'item') throw new Error('no item anchor found');
    const now = getAnchorAt(after, getAnchorTop(after, anchor));
    if (now?.kind !== 'item' || after.sections[0]?.grid === undefined) throw new Error('no item anchor found');
    // Rows break differently now: the item is still in this row, but not necessarily its first.
    expect(after.sections[0].grid.ids.indexOf(anchor.id) - now.index).toBeLessThan(5);
  });

  it('keeps its relative position in a month that is not loaded', () => {
    const before = stackSections([estimated('2022-04', 30, 1000)]);
    const anchor = getAnchorAt(before, 250);
    expect(anchor).toEqual({ section: '2022-04', kind: 'part', part: 0.25 });
    if (anchor !== undefined) expect(getAnchorTop(stackSections([estimated('2022-04', 30, 2000)]), anchor)).toBe(500);
  });

  it('moves to the next earlier month or the end when its own month no longer exists', () => {
    const geometry = stackSections([estimated('2022-05', 1, 100), estimated('2022-03', 1, 100)]);
    expect(getAnchorTop(geometry, { section: '2022-04', kind: 'part', part: 0.5 })).toBe(100);
    expect(getAnchorTop(geometry, { section: '2021-01', kind: 'part', part: 0.5 })).toBe(200);
  });

  it('is found after its month was split into days, or days were merged into a month', () => {
    const month = [estimated('2022-05', 1, 100), estimated('2022-04', 1000, 6000)];
    const days = [estimated('2022-05', 1, 100), estimated('2022-04-30', 600, 3000), estimated('2022-04-03', 500, 2000)];
    const item = { section: '2022-04', kind: 'item', id: 'id850', index: 850, below: 10 } as const;
    expect(getAnchorTop(stackSections(days), item)).toBe(100 + 3000 + 1000 + 10);
    expect(getAnchorTop(stackSections(days), { section: '2022-04', kind: 'part', part: 0 })).toBe(100);
    expect(getAnchorTop(stackSections(month), { ...item, section: '2022-04-03' })).toBe(100);
  });

  it('is found near its position in a month that was unloaded', () => {
    const anchor = { section: '2022-04', kind: 'item', id: 'id15', index: 15, below: 10 } as const;
    expect(getAnchorTop(stackSections([estimated('2022-04', 30, 1000)]), anchor)).toBe(510);
  });
});

describe('scroll scale', () => {
  it('is 1:1 for heights that a browser can scroll', () => {
    const scale = scrollScale(500_000, 900);
    expect(scale.scrolled).toBe(500_000);
    expect(toScrolled(scale, 1234)).toBe(1234);
  });

  it('reaches both ends of a higher timeline', () => {
    const scale = scrollScale(40_000_000, 900);
    expect(scale.scrolled).toBe(8_000_000);
    expect(toScrolled(scale, 0)).toBe(0);
    expect(toScrolled(scale, 40_000_000 - 900)).toBe(8_000_000 - 900);
    expect(fromScrolled(scale, toScrolled(scale, 12_345_678))).toBeCloseTo(12_345_678);
  });
});
