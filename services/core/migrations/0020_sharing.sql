-- Albums that anybody with their link can see.
create index albums_shared on albums (user_id, id) where is_shared;

alter table media_items
  add column shared_video_key text; -- of a video that is its own preview, and of a clip in a photo: the copy without metadata, for visitors

-- Visitors are shown what is ready, and only that; what is not yet is rare, and counted by itself. Whoever puts an item into an album says it;
-- of other collections nobody asks.
alter table collection_items add column is_ready boolean not null default true;

-- As it was, and with the status: whoever writes items now waits for this transaction, so that none is missed.
create or replace function follow_media_item() returns trigger language plpgsql as $$
begin
  update collection_items
  set local_time = new.local_time, visibility = new.visibility, is_ready = new.status = 'READY'
  where media_item_id = new.id;
  return null;
end $$;

drop trigger media_items_collections on media_items;
create trigger media_items_collections after update on media_items for each row
  when (old.local_time is distinct from new.local_time or old.visibility is distinct from new.visibility
    or (old.status = 'READY') is distinct from (new.status = 'READY'))
  execute function follow_media_item();

update collection_items set is_ready = false
where media_item_id in (select id from media_items where status <> 'READY');

create index collection_items_unready on collection_items (collection_id) where visibility = 'visible' and not is_ready;
