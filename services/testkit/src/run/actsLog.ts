import { setTimeout as delay } from 'node:timers/promises';

/** Runs one statement in the database. */
export type Query = <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>;

/** A write of a process, as the database has recorded it. */
export interface Act {
  /** Increases with time. */
  readonly id: number;
  /** `application_name` of the process; empty for a test's own statements. */
  readonly who: string;
  readonly what: ActName;
  /** Subject of the write: id of an item, item id and component of a run, name of a task or lease, or number of deltas. */
  readonly subject: string;
}

/**
 * `lead` means that a lease of the housekeeper was acquired. The others are writes that only the lease holder may make, and
 * writes that a worker makes once per run.
 */
const actNames = ['lead', 'roll up', 'mark', 'remove', 'finish task', 'claim', 'done'] as const;
export type ActName = (typeof actNames)[number];

/** A log of writes by process. Triggers write it, so no process can bypass it. It can also block a process in a transaction. */
export interface ActsLog {
  list(): Promise<Act[]>;
  /** From now on, blocks every process that makes the write `what`, in its transaction. */
  hold(what: ActName): Promise<void>;
  /**
   * Resolves with the name of the first blocked process.
   * @throws Error after two minutes
   */
  held(): Promise<string>;
  release(): Promise<void>;
}

/** Starts the log, in a migrated database. */
export const recordActs = async (query: Query): Promise<ActsLog> => {
  await query(triggers);
  return {
    list: () => query<Act>('select id::int, who, what, subject from acts order by id'),
    hold: async (what) => void (await query('insert into held_acts values ($1)', [what])),
    held: async () => {
      for (const giveUpAt = Date.now() + 120_000; Date.now() < giveUpAt; await delay(50)) {
        const [blockedQuery] = await query<{ who: string }>(
          `select application_name as who from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
        );
        if (blockedQuery !== undefined) return blockedQuery.who;
      }
      throw new Error('no process was blocked within two minutes');
    },
    release: async () => void (await query('delete from held_acts')),
  };
};

const triggers = `
create table acts (
  id      bigint generated always as identity primary key,
  who     text not null default current_setting('application_name'),
  what    text not null,
  subject text not null
);
create table held_acts (what text not null);
-- The superuser creates these tables, but another role writes to them.
grant all on acts, held_acts to public;

create function note(act text, act_subject text) returns void language plpgsql as $$
begin
  insert into acts (what, subject) values (act, act_subject);
  -- Each check sees rows that were committed meanwhile.
  while exists (select from held_acts where what = act) loop perform pg_sleep(0.05); end loop;
end $$;

create function note_row() returns trigger language plpgsql as $$
begin
  case tg_argv[0]
    when 'lead' then perform note('lead', new.name);
    when 'mark' then perform note('mark', new.id::text);
    when 'remove' then perform note('remove', old.id::text);
    when 'finish task' then perform note('finish task', new.name);
    when 'claim' then perform note('claim', new.media_item_id || ' ' || new.component);
    when 'done' then perform note('done', new.media_item_id || ' ' || new.component);
  end case;
  return null;
end $$;
create function note_roll_up() returns trigger language plpgsql as $$
declare n bigint;
begin
  select count(*) into n from gone;
  if n > 0 then perform note('roll up', n::text); end if;
  return null;
end $$;

create trigger note_first_lead after insert on leases for each row execute function note_row('lead');
create trigger note_lead after update on leases for each row when (new.fencing <> old.fencing) execute function note_row('lead');
create trigger note_roll_up after delete on count_deltas referencing old table as gone for each statement execute function note_roll_up();
create trigger note_mark after update on media_items for each row
  when (old.removing_at is null and new.removing_at is not null) execute function note_row('mark');
create trigger note_remove after delete on media_items for each row execute function note_row('remove');
create trigger note_task after insert or update on housekeeping_tasks for each row execute function note_row('finish task');
create trigger note_claim after update on component_runs for each row
  when (new.claim_id is distinct from old.claim_id and new.claim_id is not null) execute function note_row('claim');
create trigger note_done after update on component_runs for each row
  when (new.state = 'DONE') execute function note_row('done');
`;
