-- Operations: jobs, live events, the audit log, and coordination between processes.

create table jobs (
  id                  uuid primary key,
  user_id             uuid not null references users on delete cascade,
  components          text[] not null,
  status              text not null default 'SCHEDULED' check (status in ('SCHEDULED', 'RUNNING', 'PAUSED', 'COMPLETED', 'STOPPED')),
  end_media_item_id   uuid,
  last_media_item_id  uuid,
  opened_to           uuid,
  total               integer not null check (total >= 0),
  done                integer not null default 0,
  failed              integer not null default 0,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now()
);
comment on table jobs is 'Truth: components to run again for every item of a user. A runner visits the items in the order of their ids.';
comment on column jobs.id is 'Id of the job in the API and in component_runs.';
comment on column jobs.user_id is 'Owner of the items to reprocess.';
comment on column jobs.components is 'Components to run again.';
comment on column jobs.status is 'State of the job; a user has at most one unfinished job.';
comment on column jobs.end_media_item_id is 'Last item at the job''s creation; null for an empty library.';
comment on column jobs.last_media_item_id is 'Last finished item: all items up to it are finished.';
comment on column jobs.opened_to is 'Last item whose runs are due; the items after last_media_item_id up to this one are active.';
comment on column jobs.total is 'Number of items at the job''s creation.';
comment on column jobs.done is 'Number of finished items.';
comment on column jobs.failed is 'Number of finished items with a failed component.';
comment on column jobs.created_at is 'Time of the job''s creation.';
comment on column jobs.updated_at is 'Time of the last change.';

create unique index jobs_unfinished on jobs (user_id) where status in ('SCHEDULED', 'RUNNING', 'PAUSED');
create index jobs_newest on jobs (user_id, created_at desc, id desc);

-- [Note: Events behind the oldest transaction] Readers of events stop at the oldest open transaction, so that they
-- never skip an event that is committed late. The order of commits differs from the order of starts and of sequence
-- numbers: a reader that remembers only the last id would miss the events of a slower transaction. So events are
-- ordered by transaction, then by id, and read only up to pg_snapshot_xmin, after which no earlier event can appear.
-- The cost: a long transaction delays the events of all later ones.
create table events (
  user_id    uuid not null,
  xid        xid8 not null default pg_current_xact_id(),
  id         bigint not null generated always as identity,
  kind       text not null,
  subject_id uuid not null,
  change     text not null check (change in ('created', 'updated', 'removed')),
  created_at timestamptz not null default now(),
  primary key (user_id, xid, id)
);
comment on table events is
  'Machine: a change in a library, for clients that listen to GET /v1/events; kept for at most a day. Events name the changed object but '
  'not its state: clients receive the current state, possibly twice. No foreign keys, because the object may be deleted.';
comment on column events.user_id is 'Owner of the library.';
comment on column events.xid is 'Transaction that made the change.';
comment on column events.id is 'Order within the transaction.';
comment on column events.kind is 'Kind of the changed object, such as ''mediaItem''.';
comment on column events.subject_id is 'Id of the changed object.';
comment on column events.change is 'Type of the change: created, updated or removed.';
comment on column events.created_at is 'Start of the transaction.';

create table event_horizons (
  user_id uuid primary key references users on delete cascade,
  xid     xid8 not null,
  id      bigint not null
);
comment on table event_horizons is 'Machine: the last deleted event of each library. A reader with an earlier position has missed events.';
comment on column event_horizons.user_id is 'Owner of the library.';
comment on column event_horizons.xid is 'Transaction of the last deleted event.';
comment on column event_horizons.id is 'Id of that event within its transaction.';

-- Skips users who are being deleted: they have no readers left.
create function append_events() returns trigger language plpgsql as $$
begin
  insert into events (user_id, kind, subject_id, change)
  select user_id, 'mediaItem', id, tg_argv[0] from changed_rows
  where visibility <> 'removed' and exists (select from users where users.id = user_id);
  return null;
end $$;

-- [Note: Columns that clients see] An update of an item creates an event only if it changes a column that the API
-- shows. This function generates append_events_of_update, which compares all columns of media_items except those listed
-- here, so a new column is compared by default. Migrations that change the columns of media_items call it at their end.
-- `events.test.ts` compares the list with the presenter.
create function write_append_events_of_update() returns void language plpgsql as $write$
declare
  unseen constant text[] := array['id', 'created_at', 'updated_at', 'checksum', 'client_taken_at', 'client_utc_offset_minutes',
    'content_identifier', 'motion_item_id', 'unpaired_category', 'shared_video_key', 'preview_bytes', 'thumbnail_bytes', 'poster_bytes',
    'motion_bytes', 'shared_video_bytes',
    -- Changes of these two also change visibility, which is compared.
    'removing_at', 'is_motion_half'];
  seen text[];
begin
  select array_agg(quote_ident(attname) order by attnum) into seen from pg_attribute
  where attrelid = 'media_items'::regclass and attnum > 0 and not attisdropped and attname <> all (unseen);
  execute format($create$
    create or replace function append_events_of_update() returns trigger language plpgsql as $$
    begin
      insert into events (user_id, kind, subject_id, change)
      select item.user_id, 'mediaItem', id, case item.visibility when 'removed' then 'removed' else 'updated' end
      from new_rows as item join old_rows as was using (id)
      where (item.visibility <> 'removed' or was.visibility <> 'removed')
        and (item.%s)
        is distinct from (was.%s);
      return null;
    end $$
  $create$, array_to_string(seen, ', item.'), array_to_string(seen, ', was.'));
end $write$;
select write_append_events_of_update();

create function delete_events_of_users() returns trigger language plpgsql as $$
begin
  delete from events where user_id in (select id from old_rows);
  return null;
end $$;

create trigger media_items_events_insert after insert on media_items
  referencing new table as changed_rows for each statement execute function append_events('created');
create trigger media_items_events_update after update on media_items
  referencing new table as new_rows old table as old_rows for each statement execute function append_events_of_update();
create trigger media_items_events_delete after delete on media_items
  referencing old table as changed_rows for each statement
  when (not is_removing_account()) execute function append_events('removed');
create trigger users_events_delete after delete on users
  referencing old table as old_rows for each statement execute function delete_events_of_users();

create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  action     text not null,
  actor      text not null,
  user_id    uuid,
  subject    text,
  address    text,
  request_id text
);
comment on table audit_log is
  'Truth: sign-ins and changes of accounts and shares, for the administrator; kept for 90 days. No foreign keys, because entries outlive '
  'their accounts. Contains no typed names, no tokens and no share ids.';
comment on column audit_log.id is 'Number of the entry, in insertion order.';
comment on column audit_log.at is 'Time of the entry.';
comment on column audit_log.action is 'Action, such as a sign-in or a password change.';
comment on column audit_log.actor is 'Type of the actor: user, administrator or anonymous.';
comment on column audit_log.user_id is 'Affected account, possibly deleted since.';
comment on column audit_log.subject is
  'Other affected object: the administrator, a session by its id, or an album by an identifier that does not open its share.';
comment on column audit_log.address is 'IP address of the client.';
comment on column audit_log.request_id is 'Request id, as in X-Request-Id and the log.';

create index audit_log_at on audit_log (at);

create table leases (
  name       text primary key,
  holder     uuid not null,
  fencing    bigint not null,
  held_until timestamptz not null
);
comment on table leases is 'Machine: locks for tasks that only one process may run at a time.';
comment on column leases.name is 'Name of the task.';
comment on column leases.holder is 'Process that holds the lease.';
comment on column leases.fencing is
  'Fencing token, incremented for each new holder. Writes under the lease carry it, so that a process that resumes after a freeze writes nothing.';
comment on column leases.held_until is 'Expiry of the lease unless it is renewed.';

create table housekeeping_tasks (
  name        text primary key,
  finished_at timestamptz not null
);
comment on table housekeeping_tasks is 'Machine: the last run of each housekeeping task, so that restarts do not repeat daily tasks.';
comment on column housekeeping_tasks.name is 'Name of the task.';
comment on column housekeeping_tasks.finished_at is 'Time of the last completion.';

create table scrub_state (
  is_only             boolean primary key default true check (is_only),
  pass_started_at     timestamptz not null,
  pass_ended_at       timestamptz,
  completed_at        timestamptz,
  repaired_renditions bigint not null default 0,
  stopped_at          timestamptz,
  stopped_reason      text
);
comment on table scrub_state is
  'Machine: one row with the state of the scrub, which periodically reads every stored original. No row before the first pass.';
comment on column scrub_state.is_only is 'Always true, which limits the table to one row.';
comment on column scrub_state.pass_started_at is 'Start of the last pass. It checks all originals that were uploaded earlier and not checked since.';
comment on column scrub_state.pass_ended_at is 'End of that pass; null while it runs.';
comment on column scrub_state.completed_at is 'End of the last complete pass; null before the first one.';
comment on column scrub_state.repaired_renditions is 'Number of damaged or missing renditions scheduled to be rebuilt, since the first pass.';
comment on column scrub_state.stopped_at is 'Start of a stop because the store is unavailable or most originals are missing; null otherwise.';
comment on column scrub_state.stopped_reason is 'Reason of the stop.';

create table library (
  id      uuid primary key default gen_random_uuid(),
  is_only boolean not null unique default true check (is_only)
);
comment on table library is
  'Truth: the id of this library, in one row. The object store has a marker with the same id, so that no process writes to the wrong store.';
comment on column library.id is 'Id created with the database; never changes.';
comment on column library.is_only is 'Always true, which limits the table to one row.';

insert into library default values;
