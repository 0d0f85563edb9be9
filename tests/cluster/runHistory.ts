import type { Query } from '@hearth/testkit/run/actsLog.ts';
import type { PodHistory } from './pods.ts';

/**
 * An interval while a worker held a run: from its claim to the outcome, or to another worker's claim after the lease
 * expired. Times are ms since 1970 on the database clock.
 */
export interface WorkedRun {
  readonly run: string;
  /** IP address of the worker's pod. */
  readonly address: string;
  readonly beganAt: number;
  /** Time of the outcome or of the next claim. Undefined while the worker holds the run. */
  readonly endedAt: number | undefined;
}

/** A pod whose deletion was requested during runs. */
export interface InterruptedPod {
  readonly pod: string;
  readonly role: string;
  readonly runs: readonly string[];
}

/** Installs triggers that record all claims and outcomes in the database, so that no worker can bypass them. */
export const recordRuns = async (query: Query): Promise<void> => void (await query(triggers));

/** Returns every run claimed since `recordRuns`. */
export const listWorkedRuns = (query: Query): Promise<WorkedRun[]> =>
  query<WorkedRun>(
    `select run, host(start.address) as address, extract(epoch from start.at)::float8 * 1000 as "beganAt",
      (select extract(epoch from later.at)::float8 * 1000 from run_history as later
        where later.run = start.run and later.id > start.id order by later.id limit 1) as "endedAt"
    from run_history as start where start.event = 'begin' order by start.id`,
  );

/** Returns the runs that were recorded as DONE more than once. */
export const listRepeatedRuns = async (query: Query): Promise<string[]> =>
  (
    await query<{ run: string }>(
      `select run from run_history where event = 'end' and state = 'DONE' group by run having count(*) > 1`,
    )
  ).map(({ run }) => run);

/**
 * Tolerance in ms: the end of a run may reach the database this long after the deletion request and still count as
 * finished before it.
 */
const eventDelayMs = 100;

/** Returns the pods whose deletion was requested during a run. */
export const findInterruptedPods = (runs: readonly WorkedRun[], histories: readonly PodHistory[]): InterruptedPod[] =>
  histories.flatMap(({ name, role, address, createdAt, deletionRequestedAt }) => {
    if (deletionRequestedAt === undefined) return [];
    const active = runs.filter(
      (run) =>
        run.address === address &&
        // Later pods may reuse an address.
        run.beganAt >= createdAt &&
        run.beganAt < deletionRequestedAt &&
        (run.endedAt ?? Infinity) > deletionRequestedAt + eventDelayMs,
    );
    return active.length === 0 ? [] : [{ pod: name, role, runs: active.map(({ run }) => run) }];
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
create function record_run() returns trigger language plpgsql as $$
begin
  insert into run_history (event, run, state)
  values (tg_argv[0], new.media_item_id || ' ' || new.component, new.state);
  return null;
end $$;
create trigger note_begin after update on component_runs for each row
  when (new.claim_id is distinct from old.claim_id and new.state = 'RUNNING') execute function record_run('begin');
create trigger note_end after update on component_runs for each row
  when (old.state = 'RUNNING' and new.state <> 'RUNNING') execute function record_run('end');
`;
