import { maxFilterIds, maxNameLength, maxSearchLength } from '@hearth/contract/limits.ts';
import type { SearchFilters } from '@hearth/contract/searchFilters.ts';

/** Categories of the search filter, named as in the API. */
export const categories = ['SCREENSHOT', 'PANORAMA', 'LIVE', 'MOTION', 'SLOW', 'TIMELAPSE'] as const;
type Category = (typeof categories)[number];

export const isListed = <Name extends string>(names: readonly Name[], value: unknown): value is Name =>
  names.some((name) => name === value);

type NonTextFilter = 'type' | 'category' | 'favourite';

/** Filters named as in the API. Ids are comma-separated; days are like `2022-04-03`. */
export interface Filters extends Readonly<
  Partial<Record<Exclude<keyof SearchFilters, NonTextFilter>, string | undefined>>
> {
  readonly type?: 'photo' | 'video' | undefined;
  readonly category?: Category | undefined;
  readonly favourite?: true | undefined;
}

export interface SearchAddress extends Filters {
  readonly q: string;
}

/** Parses the search parameters. Ignores unknown ones, and values that the API would reject. */
export const readSearchAddress = (search: Record<string, unknown>): SearchAddress => {
  const { type, category, favourite } = search;
  const [from, to] = [parseDay(search['from']), parseDay(search['to'])];
  return {
    q: parseText(search['q'], maxSearchLength) ?? '',
    type: type === 'photo' || type === 'video' ? type : undefined,
    category: isListed(categories, category) ? category : undefined,
    favourite: favourite === true ? true : undefined,
    people: parseIds(search['people']),
    places: parseIds(search['places']),
    things: parseIds(search['things']),
    albums: parseIds(search['albums']),
    camera: parseText(search['camera'], maxNameLength),
    from,
    to: from !== undefined && to !== undefined && to < from ? undefined : to,
  };
};

/** The router parses a numeric query as a number. */
function parseText(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, maxLength) : undefined;
}

function parseDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return undefined;
  // `Date.parse` accepts 30 February as a day in March.
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
}

function parseIds(value: unknown): string | undefined {
  const ids =
    typeof value === 'string'
      ? value.split(',').filter((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
      : [];
  return ids.length === 0 ? undefined : ids.slice(0, maxFilterIds).join(',');
}
