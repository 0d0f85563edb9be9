-- Collections of items: albums, created by users, and places, things and people, detected in items (0005_explore.sql).

create table collections (
  id         uuid primary key,
  user_id    uuid not null references users on delete cascade,
  kind       text not null check (kind in ('album', 'place', 'thing', 'person')),
  cover_id   uuid references media_items on delete set null,
  item_count integer not null default 0,
  -- A separate column: most changes of item_count leave it unchanged, and then collections_by_name needs no update.
  is_filled  boolean not null generated always as (item_count > 0) stored,
  sort_name  text collate "C"
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
comment on table collections is
  'Truth: a collection of items. All kinds share one implementation of lists, counts and jumps, whose cost does not depend on the position '
  'in a list of a million items.';
comment on column collections.id is 'Id of the collection, shared with its album, place, thing or person.';
comment on column collections.user_id is 'Owner of the collection.';
comment on column collections.kind is 'Table that holds the other half of the row.';
comment on column collections.cover_id is 'Cover chosen by the owner; used while it is a visible item of the collection.';
comment on column collections.item_count is
  'Number of visible items without the pending changes in count_deltas: the sum of the collection''s rows in counts. Stored here to skip '
  'empty places, things and people in lists.';
comment on column collections.is_filled is 'True if the collection has a visible item.';
comment on column collections.sort_name is 'Sort key of a place or thing, which never changes its name; null for albums and people.';

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
comment on table collection_items is 'Truth: the membership of an item in a collection.';
comment on column collection_items.collection_id is 'Collection that contains the item.';
comment on column collection_items.media_item_id is 'Item in the collection.';
comment on column collection_items.local_time is 'Copy of the item''s local_time, maintained by a trigger, so that one index returns a page.';
comment on column collection_items.visibility is 'Copy of the item''s visibility, maintained by a trigger.';
comment on column collection_items.is_ready is
  'True if visitors of a shared album see the item. Set by the code that adds items to albums; unused in other collections.';
comment on column collection_items.confidence is 'Confidence that the item shows the thing, 0 to 1; null in other collections.';

create index collection_items_visible on collection_items (collection_id, local_time desc, media_item_id desc)
  where visibility = 'visible';
create index collection_items_media_item_id on collection_items (media_item_id);
-- Items not ready are rare and counted separately.
create index collection_items_unready on collection_items (collection_id) where visibility = 'visible' and not is_ready;

-- A row-level trigger with a WHEN condition: most updates of an item do not affect its collections and must cost
-- nothing. Code that adds an item to a collection locks the item first, so that no update is missed.
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
comment on table albums is 'Truth: a collection created by a user.';
comment on column albums.id is 'Id of its collection row.';
comment on column albums.user_id is 'Owner of the album.';
comment on column albums.name is 'Name given by the owner.';
comment on column albums.description is 'Description by the owner.';
comment on column albums.share_id is 'Secret id that opens the album without an account; null while not shared. Each new share gets a new id.';
comment on column albums.is_shared is 'True if the album is visible through its link.';
comment on column albums.is_hidden is 'True if the owner hid the album from the lists.';
comment on column albums.created_at is 'Time of the album''s creation.';
comment on column albums.updated_at is 'Time of the last change.';
comment on column albums.sort_name is 'Sort key of the name, see [Note: Names in order].';

create index albums_by_name on albums (user_id, is_hidden, sort_name, id);
create index albums_by_created_at on albums (user_id, created_at, id);
create index albums_by_updated_at on albums (user_id, updated_at, id);
create index albums_shared on albums (user_id, id) where is_shared;
create unique index albums_by_share on albums (share_id) where share_id is not null;

-- Creates the collection of a new place, thing or person. Runs after the insert, with deferred foreign keys: an insert
-- that is skipped because a concurrent transaction inserted the row must leave no collection behind.
create function make_collection() returns trigger language plpgsql as $$
begin
  insert into collections (id, user_id, kind, sort_name)
  values (new.id, new.user_id, tg_argv[0], case when tg_argv[0] <> 'person' then new.sort_name end);
  return null;
end $$;
