import type { ScrubStop } from '@hearth/contract/vocabulary.ts';
import { sql } from 'kysely';
import type { Database } from '@hearth/core/db/database.ts';

/** State of the scrub, as stored in `scrub_state`. */
export interface ScrubState {
  /** Start of the last pass. */
  readonly startedAt: Date;
  readonly isRunning: boolean;
  /** End of the last completed pass. Null before the first one. */
  readonly completedAt: Date | null;
  /** Total number of renditions made due again. */
  readonly repairedRenditions: number;
  /** Time and reason of a stop. Null while the scrub works. */
  readonly stoppedAt: Date | null;
  readonly stoppedCode: ScrubStop | null;
  /** Details in English. */
  readonly stoppedReason: string | null;
}

/** Returns undefined before the first pass. */
export const findScrubState = async (db: Database): Promise<ScrubState | undefined> => {
  const { rows } = await sql<ScrubState>`
    select pass_started_at as "startedAt", pass_ended_at is null as "isRunning", completed_at as "completedAt",
      repaired_renditions as "repairedRenditions", stopped_at as "stoppedAt",
      substring(stopped_reason from '^([A-Z_]+): ') as "stoppedCode",
      regexp_replace(stopped_reason, '^[A-Z_]+: ', '') as "stoppedReason"
    from scrub_state`.execute(db);
  return rows[0];
};

/** Returns true if a pass is running, or due because the last one started more than `days` ago. */
export const isPassDue = async (db: Database, days: number): Promise<boolean> => {
  const { rows } = await sql`
    select from scrub_state where pass_ended_at is not null and pass_started_at > now() - ${days} * interval '1 day'`.execute(
    db,
  );
  return rows.length === 0;
};

/** Starts a pass unless one is running. Returns the start of the current one. */
export const startPass = async (trx: Database): Promise<string> => {
  const { rows } = await sql<{ startedAt: string }>`
    insert into scrub_state as state (pass_started_at) values (clock_timestamp())
    on conflict (is_only) do update set pass_ended_at = null,
      pass_started_at = case when state.pass_ended_at is null then state.pass_started_at else excluded.pass_started_at end
    returning pass_started_at::text as "startedAt"`.execute(trx);
  return rows[0]!.startedAt;
};

/**
 * Ends the pass that started at `startedAt` if every original uploaded before has been checked since. Returns true if
 * ended.
 */
export const endPass = async (trx: Database, startedAt: string): Promise<boolean> => {
  const { rows } = await sql`
    insert into scrub_state (pass_started_at, pass_ended_at, completed_at)
    select ${startedAt}::timestamptz, clock_timestamp(), clock_timestamp()
    where not exists (
      select from media_items as item left join original_checks as checked on checked.media_item_id = item.id
      where item.created_at < ${startedAt}::timestamptz and item.removing_at is null
        and (checked.checked_at is null or checked.checked_at < ${startedAt}::timestamptz))
    on conflict (is_only) do update set pass_started_at = excluded.pass_started_at,
      pass_ended_at = excluded.pass_ended_at, completed_at = excluded.completed_at
    returning is_only`.execute(trx);
  return rows.length > 0;
};

/**
 * Ends a pass that has run for more than `days`, for example because some originals cannot be checked. The next pass
 * then checks the others again.
 */
export const endOverduePass = async (trx: Database, days: number): Promise<void> => {
  await sql`
    update scrub_state set pass_ended_at = clock_timestamp()
    where pass_ended_at is null and pass_started_at < now() - ${days} * interval '1 day'`.execute(trx);
};

/** Records that the scrub is stopped, and since when. */
export const recordStopped = async (trx: Database, code: ScrubStop, details: string): Promise<void> => {
  const reason = `${code}: ${details}`;
  await sql`
    insert into scrub_state as state (pass_started_at, stopped_at, stopped_reason) values (now(), now(), ${reason})
    on conflict (is_only) do update set
      stopped_at = coalesce(state.stopped_at, now()), stopped_reason = excluded.stopped_reason`.execute(trx);
};

/** Records that the store works again. */
export const recordWorking = async (trx: Database): Promise<void> => {
  await sql`update scrub_state set stopped_at = null, stopped_reason = null where stopped_at is not null`.execute(trx);
};

/** Adds to the number of renditions made due again. */
export const recordRepaired = async (trx: Database, renditions: number): Promise<void> => {
  await sql`
    insert into scrub_state as state (pass_started_at, repaired_renditions) values (now(), ${renditions})
    on conflict (is_only) do update set
      repaired_renditions = state.repaired_renditions + excluded.repaired_renditions`.execute(trx);
};

export interface SampledItem {
  readonly id: string;
  readonly userId: string;
}

/** Returns up to `limit` random items of the whole installation, in upload order. */
export const sampleItems = async (db: Database, limit: number): Promise<readonly SampledItem[]> => {
  const { rows } = await sql<SampledItem>`
    with sample as (
      select id, user_id as "userId", created_at from media_items
      where removing_at is null order by random() limit ${limit})
    select id, "userId" from sample order by created_at, id`.execute(db);
  return rows;
};

/** Returns the database's current time with microseconds, as PostgreSQL timestamp text. */
export const preciseTime = async (db: Database): Promise<string> => {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]!.now;
};

export const countItems = async (db: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from media_items where removing_at is null`.execute(db);
  return rows[0]!.count;
};

/**
 * Returns the positions of missing originals among all checked ones in upload order, ascending from 0. Takes about 1 s
 * for a million items.
 */
export const listMissingPositions = async (db: Database): Promise<number[]> => {
  const { rows } = await sql<{ position: number }>`
    select position from (
      select row_number() over (order by item.created_at, item.id) - 1 as position, checked.state
      from original_checks as checked join media_items as item on item.id = checked.media_item_id
      where item.removing_at is null) as ordered
    where state = 'MISSING' order by position`.execute(db);
  return rows.map(({ position }) => position);
};

/** Numbers of originals by their last check. */
export interface OriginalCounts {
  readonly OK: number;
  readonly UNCHECKED: number;
  readonly DAMAGED: number;
  readonly MISSING: number;
}

/** Counts the originals of the whole installation by their last check. Takes about 0.2 s for a million. */
export const countOriginals = async (db: Database): Promise<OriginalCounts> => {
  const { rows } = await sql<OriginalCounts>`
    with fault as (
      select state, count(*) as n from original_checks as checked join media_items as item on item.id = media_item_id
      where state <> 'OK' and removing_at is null group by state
    ), summed as (
      select (select count(*) from media_items where removing_at is null) as total,
        (select count(*) from original_checks) as checked,
        coalesce((select n from fault where state = 'DAMAGED'), 0) as damaged,
        coalesce((select n from fault where state = 'MISSING'), 0) as missing
    )
    select greatest(0, least(total, checked) - damaged - missing) as "OK", greatest(0, total - checked) as "UNCHECKED",
      damaged as "DAMAGED", missing as "MISSING"
    from summed`.execute(db);
  return rows[0]!;
};
