import type { TimelineGrid } from '@hearth/contract/timelineGrid.ts';
import { findLastRow } from '../../../components/grid/input/gridNavigation.ts';
import type { GridItem, MediaKind } from '../../../lib/items/gridItem.ts';

/** Day of a section: date, number of its items and their places. */
export type GridDay = TimelineGrid['days'][number];

/**
 * Section of the timeline (a month or a day) with all items, in columns. Items are created when they are rendered,
 * because a month can have 45,000.
 */
export interface SectionGrid {
  /** ETag for conditional requests. Undefined for a section with several pages. */
  readonly etag: string | undefined;
  readonly days: readonly GridDay[];
  /** Index of each day's first item. */
  readonly dayStarts: readonly number[];
  readonly ids: readonly string[];
  /** Width divided by height; 1 if unknown. */
  readonly ratios: Float32Array;
  readonly placeholders: readonly (string | null)[];
  readonly kinds: readonly string[];
  /** In seconds; null for items without a duration. */
  readonly durations: readonly (number | null)[];
  /** Start of thumbnail URLs, to which the id of an item is appended. */
  readonly thumbnailPrefixes: readonly string[];
  /** Index in `thumbnailPrefixes` for each item; null without a thumbnail. */
  readonly thumbnails: readonly (number | null)[];
  /** Indexes of favourite items. */
  readonly favourites: ReadonlySet<number>;
  readonly processing: ReadonlySet<number>;
  readonly failed: ReadonlySet<number>;
}

/** Joins the pages of a section. Merges a day that is split between pages. */
export const joinPages = (pages: readonly TimelineGrid[], etag: string | undefined): SectionGrid => {
  const starts = pages.map((_, number) => pages.slice(0, number).reduce((sum, page) => sum + page.ids.length, 0));
  const prefixStarts = pages.map((_, number) =>
    pages.slice(0, number).reduce((sum, page) => sum + page.thumbnailPrefixes.length, 0),
  );
  const shifted = (list: (page: TimelineGrid) => readonly number[]): ReadonlySet<number> =>
    new Set(pages.flatMap((page, number) => list(page).map((position) => position + (starts[number] ?? 0))));
  const days = pages.flatMap((page) => page.days).reduce(addDay, []);
  const dayStarts: number[] = [];
  for (const [number, day] of days.entries()) dayStarts[number + 1] = (dayStarts[number] ??= 0) + day.count;
  return {
    etag,
    days,
    dayStarts: dayStarts.slice(0, days.length),
    ids: pages.flatMap(({ ids }) => ids),
    ratios: Float32Array.from(pages.flatMap(({ ratios }) => ratios).map((ratio) => ratio ?? 1)),
    placeholders: pages.flatMap(({ placeholders }) => placeholders),
    kinds: pages.flatMap(({ kinds }) => kinds),
    durations: pages.flatMap(({ durations }) => durations),
    thumbnailPrefixes: pages.flatMap(({ thumbnailPrefixes }) => thumbnailPrefixes),
    thumbnails: pages.flatMap((page, number) =>
      page.thumbnails.map((prefix) => (prefix === null ? null : prefix + (prefixStarts[number] ?? 0))),
    ),
    favourites: shifted(({ favourites }) => favourites),
    processing: shifted(({ processing }) => processing),
    failed: shifted(({ failed }) => failed),
  };
};

export const getGridItem = (grid: SectionGrid, index: number): GridItem => {
  const id = grid.ids[index] ?? '';
  const prefix = grid.thumbnails[index];
  const kind = kindNames[grid.kinds[index] ?? 'PHOTO'] ?? 'photo';
  return {
    id,
    aspectRatio: grid.ratios[index] ?? 1,
    placeholder: grid.placeholders[index] ?? undefined,
    kind,
    day: grid.days[findLastRow(grid.dayStarts, index, (start) => start)]?.date ?? '',
    durationSeconds: grid.durations[index] ?? undefined,
    thumbnailUrl: typeof prefix === 'number' ? `${grid.thumbnailPrefixes[prefix] ?? ''}${id}` : undefined,
    ...(kind === 'live' ? { motionUrl: null } : {}),
    favourite: grid.favourites.has(index),
    status: getStatus(grid, index),
  };
};

const kindNames: Readonly<Record<string, MediaKind>> = {
  PHOTO: 'photo',
  VIDEO: 'video',
  LIVE: 'live',
  MOTION: 'live',
  ANIMATED: 'animated',
};

function getStatus(grid: SectionGrid, index: number): GridItem['status'] {
  if (grid.processing.has(index)) return 'PROCESSING';
  return grid.failed.has(index) ? 'FAILED' : 'READY';
}

function addDay(days: GridDay[], day: GridDay): GridDay[] {
  const last = days.at(-1);
  if (last?.date !== day.date) return [...days, day];
  return [...days.slice(0, -1), { ...last, count: last.count + day.count }];
}
