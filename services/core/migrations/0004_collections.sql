-- Collections: what items are put together in, by hand (albums) or by what they show (places, things and people, in the
-- next file).

create table collections (
  id         uuid primary key,
  user_id    uuid not null references users on delete cascade,
  kind       text not null check (kind in ('album', 'place', 'thing', 'person')),
  cover_id   uuid references media_items on delete set null,
  item_count integer not null default 0,
  -- By itself, so that a count that changes, as most do, leaves the index of names alone.
  is_filled  boolean not null generated always as (item_count > 0) stored,
  sort_name  text collate "C"
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
comment on table collections is
  'Truth: something that items are put together in. The items of every kind of collection are listed, counted and jumped into by one '
  'mechanism, so that all of them cost the same at the end of a million items as at their beginning.';
comment on column collections.id is 'Names the collection, and the album, place, thing or person that it is.';
comment on column collections.user_id is 'The user whose collection it is.';
comment on column collections.kind is 'Which table has its other half.';
comment on column collections.cover_id is 'The cover that was chosen by hand; counts while it is a visible item of the collection.';
comment on column collections.item_count is
  'How many visible items it has, but for what count_deltas says: the sum of its counts, written with them. In this row, so that places, things '
  'and people without a visible item are left out of their lists without a look at the items of each.';
comment on column collections.is_filled is 'Whether there is a visible item.';
comment on column collections.sort_name is 'The name of a place or thing, which keeps it, as names are sorted; null for albums and people.';

create index collections_by_name on collections (user_id, kind, sort_name, id) where is_filled;
create index collections_user_id on collections (user_id);
create index collections_cover_id on collections (cover_id) where cover_id is not null;

create table collection_items (
  collection_id uuid not null references collections on delete cascade,
  media_item_id uuid not null references media_items on delete cascade,
  local_time    timestamp not null,
  visibility    text not null,
  is_ready      boolean not null default true,
  confidence    real check (confidence between 0 and 1),
  primary key (collection_id, media_item_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, fillfactor = 85);
comment on table collection_items is 'Truth: an item that is in a collection.';
comment on column collection_items.collection_id is 'The collection that the item is in.';
comment on column collection_items.media_item_id is 'The item that is in the collection.';
comment on column collection_items.local_time is 'The item''s own, kept here by a trigger, so that a page is read from one index.';
comment on column collection_items.visibility is 'The item''s own, kept here by a trigger too.';
comment on column collection_items.is_ready is
  'Whether visitors are shown it. Whoever puts an item into an album says it; of other collections nobody asks.';
comment on column collection_items.confidence is 'How sure it is that the item shows the thing, 0 to 1; null of other collections.';

create index collection_items_visible on collection_items (collection_id, local_time desc, media_item_id desc)
  where visibility = 'visible';
create index collection_items_media_item_id on collection_items (media_item_id);
-- What is not ready yet is rare, and counted by itself.
create index collection_items_unready on collection_items (collection_id) where visibility = 'visible' and not is_ready;

-- Of rows, with a condition: most changes of an item are none of its collections' business and must cost nothing.
-- Whoever adds an item to a collection locks it first, so that none is missed.
create function follow_media_item() returns trigger language plpgsql as $$
begin
  update collection_items
  set local_time = new.local_time, visibility = new.visibility, is_ready = new.status = 'READY'
  where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_collections after update on media_items for each row
  when (old.local_time is distinct from new.local_time or old.visibility is distinct from new.visibility
    or (old.status = 'READY') is distinct from (new.status = 'READY'))
  execute function follow_media_item();

create table albums (
  id          uuid primary key references collections on delete cascade,
  user_id     uuid not null references users on delete cascade,
  name        text not null,
  description text,
  share_id    uuid,
  is_shared   boolean not null generated always as (share_id is not null) stored,
  is_hidden   boolean not null default false,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  sort_name   text collate "C" not null generated always as (sort_key_of(name)) stored
);
comment on table albums is 'Truth: a collection that a user puts together by hand.';
comment on column albums.id is 'The collection that it is.';
comment on column albums.user_id is 'The user who has made it.';
comment on column albums.name is 'What its owner calls it.';
comment on column albums.description is 'What its owner has written about it.';
comment on column albums.share_id is
  'Opens the album to anybody who knows it; null while the album is not shared. Sharing again makes a new one.';
comment on column albums.is_shared is 'Whether anybody with its link can see it.';
comment on column albums.is_hidden is 'Whether its owner has taken it out of the lists.';
comment on column albums.created_at is 'When it was made.';
comment on column albums.updated_at is 'When it was last changed.';
comment on column albums.sort_name is 'The key that albums are sorted by, see [Note: Names in order].';

create index albums_by_name on albums (user_id, is_hidden, sort_name, id);
create index albums_by_created_at on albums (user_id, created_at, id);
create index albums_by_updated_at on albums (user_id, updated_at, id);
create index albums_shared on albums (user_id, id) where is_shared;
create unique index albums_by_share on albums (share_id) where share_id is not null;

-- Makes the collection of a place, thing or person. After it, since one that is not made because another transaction
-- has just made it would leave a collection behind: so their foreign keys are deferred.
create function make_collection() returns trigger language plpgsql as $$
begin
  insert into collections (id, user_id, kind, sort_name)
  values (new.id, new.user_id, tg_argv[0], case when tg_argv[0] <> 'person' then new.sort_name end);
  return null;
end $$;
