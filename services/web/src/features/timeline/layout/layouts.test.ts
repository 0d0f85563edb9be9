import { describe, expect, it } from 'vitest';
import { makeLayouts } from './layouts.ts';
import { joinPages, type SectionGrid } from './sectionGrid.ts';
import { getTimelineSize } from './sectionLayout.ts';

const days = Array.from({ length: 30 }, (_, number) => ({
  date: `2022-04-${String(30 - number).padStart(2, '0')}`,
  count: 40,
}));

const makeGrid = (date: string, count: number): SectionGrid =>
  joinPages(
    [
      {
        days: [{ date, count, places: [] }],
        ids: Array.from({ length: count }, (_, index) => `${date} ${index}`),
        ratios: Array.from({ length: count }, () => 1.5),
        placeholders: [],
        kinds: [],
        durations: [],
        thumbnailPrefixes: [],
        thumbnails: [],
        favourites: [],
        processing: [],
        failed: [],
      },
    ],
    undefined,
  );

describe('section stack', () => {
  it('is the same object for the same grids', () => {
    const layouts = makeLayouts(getTimelineSize(1000, 16));
    const grids = new Map([['2022-04-20', makeGrid('2022-04-20', 40)]]);
    expect(layouts.stack(days, new Map(grids))).toBe(layouts.stack(days, new Map(grids)));
  });

  it('equals a new stack after a grid was loaded or removed, and reuses the sections above', () => {
    const [one, other] = [makeLayouts(getTimelineSize(1000, 16)), makeLayouts(getTimelineSize(1000, 16))];
    const grid = makeGrid('2022-04-20', 40);
    const before = one.stack(days, new Map());
    const after = one.stack(days, new Map([['2022-04-20', grid]]));
    expect(after).toEqual(other.stack(days, new Map([['2022-04-20', grid]])));
    expect(after.sections[10]?.layout).toBeDefined();
    expect(after.sections[11]?.top).not.toBe(before.sections[11]?.top);
    expect(after.sections[9]).toBe(before.sections[9]);
    // The height is remembered.
    expect(one.stack(days, new Map()).height).toBe(after.height);
    expect(one.stack(days, new Map()).sections[10]?.layout).toBeUndefined();
  });

  it('changes with the counts', () => {
    const layouts = makeLayouts(getTimelineSize(1000, 16));
    const { height } = layouts.stack(days, new Map());
    expect(layouts.stack(days.slice(1), new Map()).height).toBeLessThan(height);
  });
});
