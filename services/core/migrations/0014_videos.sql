-- Pictures and playable versions of videos, and the two halves of a Live Photo.
--
-- The visibility of an item is written anew, since a stored generated column cannot be changed: the table and the indexes that
-- depend on it are built again, once.
alter table media_items
  add column poster_key         text, -- of a video: a still
  add column probed_fps         double precision, -- what the decoder says, where the file's own words say nothing
  add column probed_duration_s  double precision,
  add column content_identifier text, -- by which Apple's devices mark photo and video of one Live Photo
  add column motion_item_id     uuid, -- of a Live Photo: its video half
  add column motion_key         text, -- of a Live Photo or motion photo: the clip as browsers play it, once there is one
  add column is_motion_half     boolean not null default false, -- whether it is shown in a photo, and not by itself
  drop column visibility,
  -- In which list an item is shown; every list and every count goes by this one definition.
  add column visibility         text not null generated always as (
    case
      when removing_at is not null then 'removed'
      when is_motion_half then 'paired'
      when deleted_at is not null then 'trash'
      when is_hidden then 'hidden'
      else 'visible'
    end
  ) stored;

create index media_items_visible on media_items (user_id, local_time desc, id desc) where visibility = 'visible';
create index media_items_hidden on media_items (user_id, local_time desc, id desc) where visibility = 'hidden';
create index media_items_trash on media_items (user_id, local_time desc, id desc) where visibility = 'trash';
create index media_items_unready on media_items (user_id, status, local_time desc, id desc)
  where visibility = 'visible' and status <> 'READY';
create index media_items_not_photos on media_items (user_id, type, local_time desc, id desc)
  where visibility = 'visible' and type <> 'PHOTO';
create index media_items_special on media_items (user_id, category, local_time desc, id desc)
  where visibility = 'visible' and category <> 'DEFAULT';
create index media_items_live on media_items (user_id, content_identifier) where content_identifier is not null;

-- How far a run that takes long has come, in percent. Not of an item: its owner is not told of every step.
alter table component_runs add column progress smallint;

-- What is compared is what an answer of the API shows of an item, but for the time of its last change.
create or replace function append_events_of_update() returns trigger language plpgsql as $$
begin
  insert into events (user_id, kind, subject_id, change)
  select item.user_id, 'mediaItem', id, case item.visibility when 'removed' then 'removed' else 'updated' end
  from new_rows as item join old_rows as was using (id)
  where (item.visibility <> 'removed' or was.visibility <> 'removed')
    and (item.user_id, item.visibility, item.status, item.is_favourite, item.is_hidden, item.deleted_at, item.filename,
      item.description, item.mime_type, item.size_bytes, item.type, item.category, item.taken_at, item.local_time,
      item.utc_offset_minutes, item.width_px, item.height_px, item.latitude, item.longitude, item.camera_make,
      item.camera_model, item.focal_length_mm, item.aperture_f_number, item.iso_equivalent, item.exposure_time_s, item.fps,
      item.duration_s, item.probed_fps, item.probed_duration_s, item.placeholder, item.preview_key, item.thumbnail_key,
      item.poster_key, item.motion_key)
    is distinct from (was.user_id, was.visibility, was.status, was.is_favourite, was.is_hidden, was.deleted_at, was.filename,
      was.description, was.mime_type, was.size_bytes, was.type, was.category, was.taken_at, was.local_time,
      was.utc_offset_minutes, was.width_px, was.height_px, was.latitude, was.longitude, was.camera_make,
      was.camera_model, was.focal_length_mm, was.aperture_f_number, was.iso_equivalent, was.exposure_time_s, was.fps,
      was.duration_s, was.probed_fps, was.probed_duration_s, was.placeholder, was.preview_key, was.thumbnail_key,
      was.poster_key, was.motion_key);
  return null;
end $$;
