import { sql } from 'kysely';
import type { MediaItemStatus } from '@hearth/contract/vocabulary.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import type { LocalTime } from '@hearth/core/db/schema.ts';

/** Position of a reader: after this event, see [Note: Events behind the oldest transaction]. */
export interface EventPosition {
  /** Database cluster and timeline of the transaction ids. A restored copy has its own. */
  readonly cluster: string;
  readonly xid: bigint;
  readonly id: number;
}

export interface LibraryEvent {
  readonly position: EventPosition;
  /** Kind of the subject. Readers skip unknown kinds, which newer versions write. */
  readonly kind: string;
  readonly subjectId: string;
  readonly change: 'created' | 'updated' | 'removed';
  /** Current state of the media item, or undefined if it is gone. */
  readonly item: ItemState | undefined;
}

/** State that decides where an item appears in lists. */
interface ItemState {
  readonly status: MediaItemStatus;
  readonly isFavourite: boolean;
  readonly isHidden: boolean;
  readonly isTrashed: boolean;
  /** True for the video half of a Live Photo. */
  readonly isMotionHalf: boolean;
  readonly localTime: LocalTime;
}

export interface EventStart {
  readonly position: EventPosition;
  /** True if events may be missing between the requested position and this one. */
  readonly isGap: boolean;
}

/**
 * Returns the position to read a user's events from: after `lastId` if all later events are still stored, otherwise
 * after the newest one. Accepts only ids that this database can have issued, not those of a restored or older copy.
 */
export const findEventStart = async (db: Database, userId: string, lastId?: string): Promise<EventStart> => {
  const { rows } = await sql<{ cluster: string; nextXid: string; newest: string | null; horizon: string | null }>`
    select cluster, pg_snapshot_xmax(pg_current_snapshot()) as "nextXid",
      (select xid || '-' || id from events
        where user_id = ${userId} and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by xid desc, id desc limit 1) as newest,
      (select xid || '-' || id from event_horizons
        where user_id = ${userId} and xid < pg_snapshot_xmax(pg_current_snapshot())) as horizon
    from ${cluster}`.execute(prepared(db, 'event_start'));
  const { cluster: here, nextXid, newest, horizon } = rows[0]!;
  const beginning = parsePosition(here, horizon ?? '0-0')!;
  const requested = parseEventId(lastId ?? '');
  if (requested?.cluster === here && requested.xid < BigInt(nextXid) && !isBefore(requested, beginning)) {
    return { position: requested, isGap: false };
  }
  return { position: parsePosition(here, newest ?? '') ?? beginning, isGap: lastId !== undefined };
};

export interface EventReader {
  readonly userId: string;
  readonly after: EventPosition;
}

/**
 * Returns up to `limit` next events of each reader, in a fixed order: later calls never add events before returned
 * ones. Undefined for a reader of another cluster, which must start over.
 */
export const listEvents = async (
  db: Database,
  readers: readonly EventReader[],
  limit: number,
): Promise<(LibraryEvent[] | undefined)[]> => {
  const { rows } = await sql<EventRow>`
    select cluster, reader.n as reader, event.xid, event.id, event.kind, event.subject_id as "subjectId", event.change,
      item.status, item.is_favourite as "isFavourite", item.is_hidden as "isHidden",
      item.deleted_at is not null as "isTrashed", item.is_motion_half as "isMotionHalf", item.local_time as "localTime"
    from ${cluster}
    left join (
      unnest(
        ${readers.map(({ userId }) => userId)}::uuid[],
        ${readers.map(({ after }) => String(after.xid))}::xid8[],
        ${readers.map(({ after }) => after.id)}::bigint[]
      ) with ordinality as reader (user_id, xid, id, n)
      cross join lateral (
        select * from events
        where user_id = reader.user_id and (xid, id) > (reader.xid, reader.id)
          and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by xid, id limit ${limit}
      ) as event
      left join media_items as item
        on event.kind = 'mediaItem' and item.id = event.subject_id and item.user_id = event.user_id
          and item.visibility <> 'removed'
    ) on true
    order by reader.n, event.xid, event.id`.execute(prepared(db, 'events'));
  const here = rows[0]?.cluster;
  const found = Map.groupBy(rows, ({ reader }) => reader);
  return readers.map(({ after }, index) =>
    after.cluster === here ? (found.get(index + 1) ?? []).map(presentRow) : undefined,
  );
};

/** Deletes events older than `keepHours`, and all but about the newest `keepCount`. */
export const trimEvents = async (
  db: Database,
  { keepHours, keepCount }: { readonly keepHours: number; readonly keepCount: number },
): Promise<void> => {
  await sql`
    with gone as (
      delete from events
      where created_at < now() - ${keepHours} * interval '1 hour' or id <= (select max(id) from events) - ${keepCount}
      returning user_id, xid, id
    )
    insert into event_horizons as kept (user_id, xid, id)
    select distinct on (user_id) user_id, xid, id from gone
    where exists (select from users where users.id = user_id)
    order by user_id, xid desc, id desc
    on conflict (user_id) do update set xid = excluded.xid, id = excluded.id
    where (excluded.xid, excluded.id) > (kept.xid, kept.id)
      -- A restored database numbers its transactions from the start: a horizon ahead of it is from before the restore.
      or kept.xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db);
};

/** Formats a position as an event id, which is opaque to clients. */
export const formatEventId = ({ cluster, xid, id }: EventPosition): string => `${cluster}-${xid}-${id}`;

const parseEventId = (text: string): EventPosition | undefined => {
  const [, here = '', rest = ''] = /^([0-9a-f]{8})-(.*)$/.exec(text) ?? [];
  return parsePosition(here, rest);
};

const parsePosition = (here: string, text: string): EventPosition | undefined => {
  const [, xid = '', id = ''] = /^(\d{1,20})-(\d{1,15})$/.exec(text) ?? [];
  return xid === '' ? undefined : { cluster: here, xid: BigInt(xid), id: Number(id) };
};

const isBefore = (one: EventPosition, other: EventPosition): boolean =>
  one.xid < other.xid || (one.xid === other.xid && one.id < other.id);

/** Every cluster has a random identifier. Its timeline increases when it continues from a backup or replica. */
const cluster = sql`(
  select left(md5(system_identifier || '/' || timeline_id), 8) as cluster from pg_control_system(), pg_control_checkpoint()
) as here`;

type EventRow = Omit<LibraryEvent, 'position' | 'item'> &
  (ItemState | { readonly [Key in keyof ItemState]: null }) & {
    readonly cluster: string;
    readonly reader: number;
    readonly xid: string;
    readonly id: number;
  };

const presentRow = (row: EventRow): LibraryEvent => {
  const { cluster: here, reader: _, xid, id, kind, subjectId, change, ...item } = row;
  const position = { cluster: here, xid: BigInt(xid), id };
  return { position, kind, subjectId, change, item: item.status === null ? undefined : item };
};
