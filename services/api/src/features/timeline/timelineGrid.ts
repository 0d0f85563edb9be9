import type { MediaItemCategory, MediaItemStatus, MediaItemType } from '@hearth/contract/vocabulary.ts';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared, hideFromPlanner } from '@hearth/core/db/preparedStatements.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';
import { andIsAfter, type ListPosition } from '../../lists/mediaItemLists.ts';

/**
 * The visible items of a section of the timeline for a grid, newest first. The columns have equal length. Rows would take
 * longer, because the driver would have to create an object for each item.
 */
export interface TimelineGrid {
  readonly ids: readonly string[];
  /** Such as `2022-04-03`. */
  readonly days: readonly string[];
  readonly widths: readonly (number | null)[];
  readonly heights: readonly (number | null)[];
  /** ThumbHashes in base64. */
  readonly placeholders: readonly (string | null)[];
  readonly types: readonly MediaItemType[];
  readonly categories: readonly MediaItemCategory[];
  readonly statuses: readonly MediaItemStatus[];
  readonly areFavourites: readonly boolean[];
  /** In seconds. */
  readonly durations: readonly (number | null)[];
  /** Last path segments of the object keys. */
  readonly previews: readonly (string | null)[];
  readonly thumbnails: readonly (string | null)[];
  /** Up to three places per day, most items first. */
  readonly places: readonly (readonly [day: string, name: string])[];
  /** Position after which the next page starts. Undefined on the last page. */
  readonly next: ListPosition | undefined;
}

/**
 * Returns up to `limit` items of a month (`2022-04`) or day (`2022-04-03`), optionally after a position. Uses a
 * single statement, because a second one might see other rows.
 */
export const readTimelineGrid = async (
  db: Database,
  userId: string,
  section: string,
  { limit, after }: { readonly limit: number; readonly after: ListPosition | undefined },
): Promise<TimelineGrid> => {
  const begin = hideFromPlanner(section.padEnd(10, '-01'), 'date');
  const length = hideFromPlanner(section.length === 10 ? '1 day' : '1 month', 'interval');
  const inSection = sql`user_id = ${hideFromPlanner(userId, 'uuid')} and visibility = 'visible'
    and local_time >= ${begin} and local_time < ${begin} + ${length}`;
  const { rows } = await sql<FoundGrid>`
    with listed as materialized (
      select id, local_time, local_time::date as day, width_px, height_px, placeholder, type, category, status,
        is_favourite, coalesce(duration_s, probed_duration_s) as duration, preview_key, thumbnail_key,
        row_number() over (order by local_time desc, id desc) as nth
      from media_items where ${inSection} ${andIsAfter(after)}
      order by local_time desc, id desc limit ${sql.lit(limit + 1)}
    ),
    place_counts as (
      select day, place_id, count(*) as count
      from (select id, day from listed where nth <= ${sql.lit(limit)}) as shown
      -- Lateral, one lookup per item: for a plain join the planner scans the places of all users' items.
      cross join lateral (select place_id from media_item_places where media_item_id = shown.id limit 1) as found
      group by day, place_id
    )
    select grid.*, named.places
    from (
      select json_agg(id order by nth) as ids, json_agg(day order by nth) as days, json_agg(width_px order by nth) as widths,
        json_agg(height_px order by nth) as heights, json_agg(placeholder order by nth) as placeholders,
        json_agg(type order by nth) as types, json_agg(category order by nth) as categories,
        json_agg(status order by nth) as statuses, json_agg(is_favourite order by nth) as "areFavourites",
        json_agg(duration order by nth) as durations, json_agg(split_part(preview_key, '/', 3) order by nth) as previews,
        json_agg(split_part(thumbnail_key, '/', 3) order by nth) as thumbnails,
        min(local_time) filter (where nth = ${sql.lit(limit)}) as "lastTime"
      from listed
    ) as grid
    cross join (
      select json_agg(json_build_array(day, name) order by day, rank) as places
      from (
        select day, name, row_number() over (partition by day order by sum(count) desc, name collate "C") as rank
        from place_counts cross join lateral (select name from places where places.id = place_counts.place_id limit 1) as place
        group by day, name
      ) as ranked
      where rank <= ${sql.lit(maxPlacesOfDay)}
    ) as named`.execute(prepared(db, after === undefined ? 'timeline_grid' : 'timeline_grid_behind', limit));
  return toGrid(rows[0]!, limit);
};

/** Maximum number of places in the heading of a day, which has no space for more. */
const maxPlacesOfDay = 3;

type Columns = Omit<TimelineGrid, 'places' | 'next'>;

/** Columns with one extra item if another page follows. Null without items. */
type FoundGrid = { readonly [Name in keyof Columns]: Columns[Name] | null } & {
  readonly lastTime: LocalTime | null;
  readonly places: TimelineGrid['places'] | null;
};

const toGrid = ({ lastTime, places, ...found }: FoundGrid, limit: number): TimelineGrid => {
  const [id, more] = [found.ids?.[limit - 1], found.ids?.[limit]];
  const next = more === undefined || id === undefined || lastTime === null ? undefined : { localTime: lastTime, id };
  const cut = Object.entries(found).map(([name, column]) => [name, column?.slice(0, limit) ?? []]);
  return { ...(Object.fromEntries(cut) as Columns), places: places ?? [], next };
};
