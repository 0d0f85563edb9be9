import { components, type Pipeline } from '@hearth/core/config/pipeline.ts';
import type { Query } from '@hearth/testkit/run/actsLog.ts';

/** Runs that every item has from its upload. Components that follow another one get their runs later. */
const pipeline: Pipeline = components;
const firstRuns = pipeline
  .filter(({ follows }) => follows === undefined)
  .flatMap(({ name, version, pools }) => Object.keys(pools).map((type) => ({ name, version, type })));

/** Inserts the first runs of every item as `DONE`, finished an hour ago. */
export const fillRuns = async (query: Query): Promise<void> => {
  await query(
    `insert into component_runs (media_item_id, user_id, component, type, version, state, attempts, finished_at)
    select id, user_id, component, type, version, 'DONE', 1, now() - interval '1 hour'
    from media_items join unnest($1::text[], $2::int[], $3::text[]) as first_runs (component, version, type) using (type)
    order by id`,
    [firstRuns.map(({ name }) => name), firstRuns.map(({ version }) => version), firstRuns.map(({ type }) => type)],
  );
  await query('analyze');
};

/** Installs triggers that record when runs start and end, in order. */
export const recordRuns = async (query: Query): Promise<void> => {
  await query(`
    create table recorded_runs (
      id       bigint generated always as identity primary key,
      what     text not null,
      item     uuid not null,
      attempts integer not null
    );
    create function record_run() returns trigger language plpgsql as $$
    begin
      insert into recorded_runs (what, item, attempts) values (tg_argv[0], new.media_item_id, new.attempts);
      return null;
    end $$;
    create trigger record_start after update on component_runs for each row
      when (new.claim_id is not null and new.claim_id is distinct from old.claim_id) execute function record_run('begun');
    create trigger record_end after update on component_runs for each row
      when (old.state = 'RUNNING' and new.finished_at is distinct from old.finished_at) execute function record_run('ended');`);
};

/** Checks that each item was processed once, except for at most `interruptions` interrupted runs. */
export const listProblems = async (
  query: Query,
  interruptions: number,
): Promise<{ readonly repeated: number; readonly problems: readonly string[] }> => {
  const wrong = await query<{ id: string; times: number }>(`
    select media_items.id, count(item)::int as times
    from media_items left join recorded_runs on item = media_items.id and what = 'ended'
    group by media_items.id having count(item) <> 1 limit 20`);
  const [starts] = await query<{ repeated: number }>(`
    select count(*)::int - count(distinct item)::int as repeated from recorded_runs where what = 'begun'`);
  const unfinished = await query<{ id: string }>(`
    select media_item_id as id from component_runs where job_id is not null or state in ('PENDING', 'RUNNING') limit 20`);
  const repeated = starts?.repeated ?? 0;
  return {
    repeated,
    problems: [
      ...wrong.map(({ id, times }) => `${id} was processed ${times} times`),
      ...unfinished.map(({ id }) => `${id} has an unfinished run`),
      ...(repeated > interruptions
        ? [`${repeated} runs were restarted, but only ${interruptions} were interrupted`]
        : []),
    ],
  };
};
