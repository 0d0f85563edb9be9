import type { TimelineGrid } from '@hearth/contract/timelineGrid.ts';
import { describe, expect, it } from 'vitest';
import { getGridItem, joinPages } from './sectionGrid.ts';

const response: TimelineGrid = {
  thumbnailPrefixes: ['/a/'],
  days: [
    { date: '2022-04-30', count: 2, places: ['Lisbon'] },
    { date: '2022-04-03', count: 1, places: [] },
  ],
  ids: ['1', '2', '3'],
  ratios: [1.5, null, 0.75],
  placeholders: ['abc', null, null],
  kinds: ['PHOTO', 'MOTION', 'HOLOGRAM' as 'PHOTO'],
  durations: [null, null, null],
  thumbnails: [0, null, 0],
  favourites: [0],
  processing: [1],
  failed: [],
};

describe('section grid', () => {
  it('returns the grid item at an index', () => {
    const grid = joinPages([response], 'W/"1"');
    expect(getGridItem(grid, 0)).toEqual({
      id: '1',
      aspectRatio: 1.5,
      placeholder: 'abc',
      kind: 'photo',
      day: '2022-04-30',
      durationSeconds: undefined,
      thumbnailUrl: '/a/1',
      favourite: true,
      status: 'READY',
    });
    expect(getGridItem(grid, 1)).toMatchObject({
      aspectRatio: 1,
      kind: 'live',
      status: 'PROCESSING',
      day: '2022-04-30',
    });
    expect(getGridItem(grid, 1).thumbnailUrl).toBeUndefined();
  });

  it('treats an unknown kind as a photo', () => {
    expect(getGridItem(joinPages([response], undefined), 2)).toMatchObject({ kind: 'photo', day: '2022-04-03' });
  });

  it('joins pages', () => {
    const second: TimelineGrid = {
      ...response,
      thumbnailPrefixes: ['/b/'],
      days: [{ date: '2022-04-03', count: 3, places: [] }],
      ids: ['4', '5', '6'],
      favourites: [2],
    };
    const grid = joinPages([response, second], undefined);
    expect(grid.days.map(({ date, count }) => [date, count])).toEqual([
      ['2022-04-30', 2],
      ['2022-04-03', 4],
    ]);
    expect(grid.dayStarts).toEqual([0, 2]);
    expect(getGridItem(grid, 3)).toMatchObject({ thumbnailUrl: '/b/4', day: '2022-04-03', favourite: false });
    expect(getGridItem(grid, 5).favourite).toBe(true);
  });
});
