-- The zone of the time that an uploader says, and no such time more than a day in the future: it emptied searches by date.
alter table media_items add column client_utc_offset_minutes integer; -- minutes east of UTC, where the uploader said them

-- Such items count as taken when they came, on the same clock.
update media_items
set taken_at = created_at, local_time = local_time - (taken_at - created_at)
where taken_at = client_taken_at and taken_at > created_at + interval '1 day';
update media_items set client_taken_at = null where client_taken_at > created_at + interval '1 day';
