-- Components to redo for every item of a user. A runner walks over the items in the order of their ids.
create table jobs (
  id                  uuid primary key,
  user_id             uuid not null references users on delete cascade,
  components          text[] not null,
  status              text not null default 'SCHEDULED' check (status in ('SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'STOPPED')),
  end_media_item_id   uuid, -- the last item that there was when the job was made; null in an empty library
  last_media_item_id  uuid, -- up to this one every item has been handled
  opened_to           uuid, -- up to this one runs have been made due; those between the two are the job's window
  total               integer not null check (total >= 0),
  done                integer not null default 0,
  failed              integer not null default 0,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now()
);

create unique index jobs_unfinished on jobs (user_id) where status in ('SCHEDULED', 'RUNNING', 'PAUSED');
create index jobs_newest on jobs (user_id, created_at desc, id desc);

-- A run that a job has made due is the job's until it has an outcome. What it was before counts meanwhile, and comes back when the job is
-- paused or stopped before the run has begun.
alter table component_runs
  add column job_id  uuid,
  add column earlier jsonb; -- its state, version, attempts and reason; null where there was no run

create index component_runs_of_job on component_runs (job_id, media_item_id) where job_id is not null;

-- The order of a job. Ids grow with time, so that this index is written at its end alone.
create index media_items_by_id on media_items (user_id, id);
