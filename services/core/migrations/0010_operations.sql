-- Operations: jobs, the live events of libraries, the audit log, and what processes agree on.

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
comment on table jobs is 'Truth: components to redo for every item of a user. A runner walks over the items in the order of their ids.';
comment on column jobs.id is 'Names the job in the API and in the runs that it has made due.';
comment on column jobs.user_id is 'The user whose items are redone.';
comment on column jobs.components is 'Which components are redone.';
comment on column jobs.status is 'How far the job has come; a user has one unfinished job at most.';
comment on column jobs.end_media_item_id is 'The last item that there was when the job was made; null in an empty library.';
comment on column jobs.last_media_item_id is 'Up to this one every item has been handled.';
comment on column jobs.opened_to is 'Up to this one runs have been made due; those between the two are the job''s window.';
comment on column jobs.total is 'How many items there were when the job was made.';
comment on column jobs.done is 'How many items have been handled.';
comment on column jobs.failed is 'Of how many of the handled items something failed.';
comment on column jobs.created_at is 'When the job was made.';
comment on column jobs.updated_at is 'When the job was last changed.';

create unique index jobs_unfinished on jobs (user_id) where status in ('SCHEDULED', 'RUNNING', 'PAUSED');
create index jobs_newest on jobs (user_id, created_at desc, id desc);

-- [Note: Events behind the oldest transaction] Transactions do not end in the order in which they began, nor in that of
-- any number that they draw: a reader that remembers the last id it saw would skip what an older transaction commits
-- later. So rows are ordered by transaction, then by id, and read only up to the oldest transaction that is still open
-- (pg_snapshot_xmin): nothing can appear any more in front of what was read. The price: a transaction that stays open
-- holds back the events of all later ones.
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
  'Machine: something that happened to a library, for those who watch it live (GET /v1/events); kept for a day at most. It names what changed '
  'and says nothing of it: readers are told the present state, and may be told it twice. Without foreign keys: what a row names may be gone, '
  'and that it went is what the row tells.';
comment on column events.user_id is 'The user in whose library it happened.';
comment on column events.xid is 'The transaction that made the change.';
comment on column events.id is 'The order within the transaction.';
comment on column events.kind is 'The kind of what has changed, such as ''mediaItem''.';
comment on column events.subject_id is 'The id of what has changed.';
comment on column events.change is 'What happened to it.';
comment on column events.created_at is 'When the transaction began.';

create table event_horizons (
  user_id uuid primary key references users on delete cascade,
  xid     xid8 not null,
  id      bigint not null
);
comment on table event_horizons is 'Machine: the last event of each library that is no longer kept: a reader that stands before it has missed some.';
comment on column event_horizons.user_id is 'The user whose library it is.';
comment on column event_horizons.xid is 'The transaction of the last event that is no longer kept.';
comment on column event_horizons.id is 'The id of that event within its transaction.';

-- Not of a user who is being deleted: nobody is left to read them.
create function append_events() returns trigger language plpgsql as $$
begin
  insert into events (user_id, kind, subject_id, change)
  select user_id, 'mediaItem', id, tg_argv[0] from changed_rows
  where visibility <> 'removed' and exists (select from users where users.id = user_id);
  return null;
end $$;

-- [Note: Columns that clients see] An update of an item is an event if it changes what the API shows of the item.
-- This function writes append_events_of_update, which compares all columns of media_items but those listed here: a new
-- column is compared unless it is added to the list. A later migration that changes the columns of media_items calls it
-- at its end. `events.test.ts` compares the list with the presenter.
create function write_append_events_of_update() returns void language plpgsql as $write$
declare
  unseen constant text[] := array['id', 'created_at', 'updated_at', 'checksum', 'client_taken_at', 'client_utc_offset_minutes',
    'content_identifier', 'motion_item_id', 'unpaired_category', 'shared_video_key', 'preview_bytes', 'thumbnail_bytes', 'poster_bytes',
    'motion_bytes', 'shared_video_bytes',
    -- Their effect is seen in the visibility.
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
  'Truth: what has happened around signing in, accounts and shares, for the administrator; kept for 90 days. Without foreign keys: it tells '
  'of accounts that are gone. It holds no name that was typed, no token and no id of a share.';
comment on column audit_log.id is 'The order of entries.';
comment on column audit_log.at is 'When the entry was written.';
comment on column audit_log.action is 'What has happened, such as a sign-in or a change of a password.';
comment on column audit_log.actor is 'Whether a user, the administrator or nobody who is known has done it.';
comment on column audit_log.user_id is 'The account that it is about, also when it is gone.';
comment on column audit_log.subject is 'What else it is about: the administrator, a session by its id, an album by a word that leads to no share.';
comment on column audit_log.address is 'The address of the client.';
comment on column audit_log.request_id is 'The request, as in X-Request-Id and in the log.';

create index audit_log_at on audit_log (at);

create table leases (
  name       text primary key,
  holder     uuid not null,
  fencing    bigint not null,
  held_until timestamptz not null
);
comment on table leases is 'Machine: who does what only one process may do.';
comment on column leases.name is 'The work that only one process may do.';
comment on column leases.holder is 'The process that does it.';
comment on column leases.fencing is
  'Rises with each new holder. Writes done under a lease carry it, so that a holder that was frozen and wakes up writes nothing.';
comment on column leases.held_until is 'Until when the lease holds unless it is renewed.';

create table housekeeping_tasks (
  name        text primary key,
  finished_at timestamptz not null
);
comment on table housekeeping_tasks is 'Machine: a task of the housekeeper, so that daily ones are not done again at every restart.';
comment on column housekeeping_tasks.name is 'The task of the housekeeper.';
comment on column housekeeping_tasks.finished_at is 'When the task was last finished.';

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
  'Machine: one row on the scrub, which reads every stored original once in a period. No row: no pass has begun.';
comment on column scrub_state.is_only is 'Always true, so that there is one row at most.';
comment on column scrub_state.pass_started_at is
  'When the last pass began. It checks the originals of all items that were uploaded earlier and not checked since.';
comment on column scrub_state.pass_ended_at is 'When that pass ended; null while it runs.';
comment on column scrub_state.completed_at is 'When a pass last ended; null until the first one has.';
comment on column scrub_state.repaired_renditions is 'Damaged or missing renditions that were made due again, since the first pass.';
comment on column scrub_state.stopped_at is
  'Since when the scrub is stopped because the store is unavailable or most originals are missing; null otherwise.';
comment on column scrub_state.stopped_reason is 'Why it is stopped.';

create table library (
  id      uuid primary key default gen_random_uuid(),
  is_only boolean not null unique default true check (is_only)
);
comment on table library is
  'Truth: the id of this library, in one row. The object store carries it in a marker, so that no process writes to the wrong store.';
comment on column library.id is 'Made once with the database, and kept for ever.';
comment on column library.is_only is 'Always true: it allows one row only.';

insert into library default values;
