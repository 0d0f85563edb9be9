import type { GridKind, TimelineGrid } from '@hearth/contract/timelineGrid.ts';
import type { TimelineGrid as FoundGrid } from './timelineGrid.ts';
import type { SessionUser } from '../../accounts/sessions.ts';
import { shortThumbHash } from './shortThumbHash.ts';
import type { ThumbnailLinks } from '../../links/thumbnailLinks.ts';

/** Data for presenting a grid in addition to its rows. */
export interface GridView {
  readonly links: ThumbnailLinks;
  readonly user: Pick<SessionUser, 'userId' | 'linkEpoch'>;
  readonly hasPlaces: boolean;
}

/** Converts a section of the timeline to its API form. */
export const presentTimelineGrid = ({ links, user, hasPlaces }: GridView, grid: FoundGrid): TimelineGrid => {
  const names = [...new Set(grid.thumbnails.filter((name) => name !== null))];
  const prefixes = new Map(names.map((name, index) => [name, index]));
  const places = Map.groupBy(hasPlaces ? grid.places : [], ([day]) => day);
  return {
    thumbnailPrefixes: names.map((name) => links.signPrefix(user, name)),
    days: countDays(grid.days).map(([date, count]) => ({
      date,
      count,
      places: (places.get(date) ?? []).map(([, name]) => name),
    })),
    ids: [...grid.ids],
    ratios: grid.widths.map((width, nth) => toRatio(width, grid.heights[nth]!)),
    placeholders: grid.placeholders.map((hash) => (hash === null ? null : (shortThumbHash(hash) ?? null))),
    kinds: grid.ids.map((_, nth) => getKind(grid, nth)),
    durations: grid.durations.map((seconds, nth) =>
      seconds === null || grid.types[nth] !== 'VIDEO' ? null : Math.round(seconds * 10) / 10,
    ),
    thumbnails: grid.thumbnails.map((name) => (name === null ? null : prefixes.get(name)!)),
    favourites: findPositions(grid.areFavourites, (isFavourite) => isFavourite),
    processing: findPositions(grid.statuses, (status) => status !== 'READY' && status !== 'FAILED'),
    failed: findPositions(grid.statuses, (status) => status === 'FAILED'),
  };
};

/** Run lengths of equal days. */
const countDays = (days: readonly string[]): [date: string, count: number][] => {
  const counted: [string, number][] = [];
  for (const day of days) {
    const last = counted.at(-1);
    if (last?.[0] === day) last[1]++;
    else counted.push([day, 1]);
  }
  return counted;
};

/** Rounds to a thousandth, a third of a pixel in a row of pictures. */
const toRatio = (width: number | null, height: number | null): number | null =>
  width === null || height === null ? null : Math.max(0.001, Math.round((width / height) * 1_000) / 1_000);

const getKind = ({ types, categories, previews }: FoundGrid, nth: number): GridKind => {
  if (types[nth] === 'VIDEO') return 'VIDEO';
  const category = categories[nth];
  if (category === 'LIVE' || category === 'MOTION') return category;
  return previews[nth]?.endsWith('.webp') === true ? 'ANIMATED' : 'PHOTO';
};

const findPositions = <Value>(column: readonly Value[], is: (value: Value) => boolean): number[] =>
  column.flatMap((value, nth) => (is(value) ? [nth] : []));
