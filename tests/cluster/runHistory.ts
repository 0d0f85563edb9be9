import type { Query } from '@hearth/testkit/run/actsLog.ts';
import type { PodStory } from './pods.ts';

/**
 * A run that a worker has had in hand: from its claim to its outcome, or to the claim of another worker after the lease has run out, in milliseconds since 1970 on
 * the clock of the database.
 */
export interface WorkedRun {
  readonly run: string;
  /** The address of the worker's pod. */
  readonly address: string;
  readonly beganAt: number;
  /** Undefined for a run that has had nothing of both yet. */
  readonly endedAt: number | undefined;
}

/** A pod that was asked to end while it had runs in hand. */
export interface BusyEnd {
  readonly pod: string;
  readonly role: string;
  readonly runs: readonly string[];
}

/** The database's own record of who works on what, which no worker can leave out. */
export const recordRuns = async (query: Query): Promise<void> => void (await query(triggers));

/** Every run that was begun since `recordRuns`. */
export const listWorkedRuns = (query: Query): Promise<WorkedRun[]> =>
  query<WorkedRun>(
    `select run, host(begun.address) as address, extract(epoch from begun.at)::float8 * 1000 as "beganAt",
      (select extract(epoch from later.at)::float8 * 1000 from run_history as later
        where later.run = begun.run and later.id > begun.id order by later.id limit 1) as "endedAt"
    from run_history as begun where begun.event = 'begin' order by begun.id`,
  );

/** Runs with more than one outcome. */
export const listDoneTwice = async (query: Query): Promise<string[]> =>
  (
    await query<{ run: string }>(
      `select run from run_history where event = 'end' and state = 'DONE' group by run having count(*) > 1`,
    )
  ).map(({ run }) => run);

/** Milliseconds by which the end of a run may reach the database after the end of its pod was asked for, and still have been on its way. */
const onItsWayMs = 100;

/** The pods that were asked to end while they had a run in hand. */
export const findBusyEnds = (runs: readonly WorkedRun[], stories: readonly PodStory[]): BusyEnd[] =>
  stories.flatMap(({ name, role, address, createdAt, endAskedAt }) => {
    if (endAskedAt === undefined) return [];
    const inHand = runs.filter(
      (run) =>
        run.address === address &&
        // An address is given to a later pod too.
        run.beganAt >= createdAt &&
        run.beganAt < endAskedAt &&
        (run.endedAt ?? Infinity) > endAskedAt + onItsWayMs,
    );
    return inHand.length === 0 ? [] : [{ pod: name, role, runs: inHand.map(({ run }) => run) }];
  });

const triggers = `
create table run_history (
  id      bigint generated always as identity primary key,
  at      timestamptz not null default clock_timestamp(),
  address inet default inet_client_addr(),
  event   text not null,
  run     text not null,
  state   text not null
);
create index on run_history (run, id);
grant all on run_history to public;
create function note_run() returns trigger language plpgsql as $$
begin
  insert into run_history (event, run, state)
  values (tg_argv[0], new.media_item_id || ' ' || new.component, new.state);
  return null;
end $$;
create trigger note_begin after update on component_runs for each row
  when (new.claim_id is distinct from old.claim_id and new.state = 'RUNNING') execute function note_run('begin');
create trigger note_end after update on component_runs for each row
  when (old.state = 'RUNNING' and new.state <> 'RUNNING') execute function note_run('end');
`;
