-- What each component has made of each item: the truth behind the queues.
create table component_runs (
  media_item_id   uuid not null references media_items on delete cascade,
  component       text not null,
  version         integer not null,
  state           text not null default 'PENDING',
  attempts        integer not null default 0,
  claim_id        uuid,        -- who runs it: the guard of every write of its outcome
  lease_until     timestamptz, -- until when a RUNNING run counts as alive
  next_attempt_at timestamptz not null default now(),
  blocked_on      text,        -- the capability that this installation lacks
  reason          text,        -- why it failed or is blocked
  warnings        text[] not null default '{}',
  finished_at     timestamptz,
  primary key (media_item_id, component)
) with (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 80);

-- The sweeper's questions: what is due, whose lease ran out, what could go on.
create index component_runs_pending on component_runs (next_attempt_at) where state = 'PENDING';
create index component_runs_running on component_runs (lease_until) where state = 'RUNNING';
create index component_runs_blocked on component_runs (component, blocked_on) where state = 'BLOCKED';

-- What some worker of this installation has said at its start that it can do, such as 'decode image/jpeg'.
create table capabilities (
  name        text primary key,
  recorded_at timestamptz not null default now()
);
