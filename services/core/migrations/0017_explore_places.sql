-- Places are collections, whose items are those that were taken there.

-- Nobody may write meanwhile, or what is copied here would miss it.
lock table media_items, media_item_places, places in share row exclusive mode;

alter table collections drop constraint collections_kind_check;
alter table collections add constraint collections_kind_check check (kind in ('album', 'place'));

insert into collections (id, user_id, kind) select id, user_id, 'place' from places;
insert into collection_items (collection_id, media_item_id, local_time, visibility)
select place_id, id, local_time, visibility from media_item_places join media_items on id = media_item_id;

-- Deferred, since the trigger below makes the collection after the place: before it, a place that is not made because another transaction
-- has just made it would leave a collection behind.
alter table places add constraint places_id_fkey foreign key (id) references collections on delete cascade
  deferrable initially deferred;
create index places_by_name on places (user_id, lower(name), id);

-- By triggers, since workers of the version before write places without knowing of collections.
create function make_collection() returns trigger language plpgsql as $$
begin
  insert into collections (id, user_id, kind) values (new.id, new.user_id, tg_argv[0]);
  return null;
end $$;

create trigger places_collection after insert on places for each row execute function make_collection('place');

-- Whoever writes the place of an item has locked the item.
create function put_item_into_place() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from collection_items where collection_id = old.place_id and media_item_id = old.media_item_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select new.place_id, id, local_time, visibility from media_items where id = new.media_item_id
    on conflict do nothing;
  end if;
  return null;
end $$;

create trigger media_item_places_collection after insert or delete on media_item_places
  for each row execute function put_item_into_place();
create trigger media_item_places_moved after update on media_item_places
  for each row when (old.place_id is distinct from new.place_id) execute function put_item_into_place();
