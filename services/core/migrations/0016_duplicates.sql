-- Photos that show the same: a hash of each picture, and the groups that they form.
--
-- [Note: Duplicates] Two photos of a library are near where their hashes differ in few bits and their embeddings are
-- alike. A group is a star: one photo is its centre, and every other one is near it. In the order of ids, which is that
-- of the uploads, a photo joins the group of the first centre before it that it is near, and is a centre itself where
-- there is none. So the groups follow from the photos alone, whichever was looked at first; no chain of small steps
-- leads from one photo to another; and a photo is compared with centres, however many photos their groups have. A photo
-- that comes in another order than that of the ids, and is a centre, has later photos settled anew that it is near.
--
-- Groups do not know of lists: photos that are hidden or in the trash keep their place, and are counted apart. Where a
-- centre is removed for good, the first of the others takes its place. Whoever writes a hash or what follows from one
-- takes a lock of the user, behind every lock of items.

create sequence duplicate_group_revisions;

create table duplicate_groups (
  id                uuid primary key,
  user_id           uuid not null references users on delete cascade,
  member_count      integer not null,
  item_count        integer not null,
  trashed_count     integer not null,
  reviewed_at       timestamptz,
  kept_id           uuid,
  given_albums      uuid[] not null default '{}',
  gave_favourite    boolean not null default false,
  given_description text,
  revision          bigint not null default nextval('duplicate_group_revisions')
) with (fillfactor = 85);
comment on table duplicate_groups is
  'Truth: two photos and more that show the same, in whichever list, with what their owner has said of them, see [Note: Duplicates].';
comment on column duplicate_groups.id is 'That of the item which was its centre first, unless another group had that already.';
comment on column duplicate_groups.user_id is 'Whose photos they are.';
comment on column duplicate_groups.member_count is 'How many it has, in whichever list; two or more.';
comment on column duplicate_groups.item_count is 'How many of them are visible.';
comment on column duplicate_groups.trashed_count is 'How many of them are in the trash by the review of the group.';
comment on column duplicate_groups.reviewed_at is 'When its owner has reviewed it; null again once another visible one has joined it.';
comment on column duplicate_groups.kept_id is 'The item that was given what those had that its review moved to the trash.';
comment on column duplicate_groups.given_albums is 'The albums into which that one was put.';
comment on column duplicate_groups.gave_favourite is 'Whether that one became a favourite.';
comment on column duplicate_groups.given_description is 'The description that it was given, where it had none.';
comment on column duplicate_groups.revision is
  'Another number whenever a visible photo has joined it or is visible again; no number is given twice, also not to a group that is made anew.';
alter sequence duplicate_group_revisions owned by duplicate_groups.revision;

create index duplicate_groups_open on duplicate_groups (user_id, id desc) where item_count >= 2 and reviewed_at is null;
create index duplicate_groups_reviewed on duplicate_groups (user_id, id desc)
  where item_count + trashed_count >= 2 and reviewed_at is not null;
create index duplicate_groups_user_id on duplicate_groups (user_id);

create table picture_hashes (
  media_item_id uuid primary key references media_items on delete cascade,
  user_id       uuid not null references users on delete cascade,
  hash          bigint not null,
  sharpness     real not null,
  group_id      uuid not null,
  is_centre     boolean not null,
  is_set_aside  boolean not null default false,
  visibility    text not null,
  score         bigint not null,
  band_0        integer not null generated always as (((hash >> 48) & 65535)::integer) stored,
  band_1        integer not null generated always as (((hash >> 32) & 65535)::integer) stored,
  band_2        integer not null generated always as (((hash >> 16) & 65535)::integer) stored,
  band_3        integer not null generated always as ((hash & 65535)::integer) stored
) with (fillfactor = 85);
comment on table picture_hashes is
  'Derived: how a photo looks, by the component SEARCH, and which photos show the same, see [Note: Duplicates]. It is in no answer of the API.';
comment on column picture_hashes.media_item_id is 'The photo that looks so.';
comment on column picture_hashes.user_id is 'The item''s own, which never changes.';
comment on column picture_hashes.hash is 'A perceptual hash: pictures that look the same differ in few of its 64 bits.';
comment on column picture_hashes.sharpness is 'How much detail the picture has in 640 pixels, against its contrast.';
comment on column picture_hashes.group_id is 'The group that it is in, also of one alone, which has no row.';
comment on column picture_hashes.is_centre is 'Whether the others of its group are near it.';
comment on column picture_hashes.is_set_aside is 'Whether it is in the trash by the review of its group.';
comment on column picture_hashes.visibility is 'The item''s own, kept here by a trigger.';
comment on column picture_hashes.score is 'How well it stands for its group: the highest one is proposed to be kept.';
comment on column picture_hashes.band_0 is 'The first 16 bits of the hash. Of two hashes that differ in up to 7 bits, one of four bands differs in one bit at most.';
comment on column picture_hashes.band_1 is 'The next 16 bits of the hash.';
comment on column picture_hashes.band_2 is 'The next 16 bits of the hash.';
comment on column picture_hashes.band_3 is 'The last 16 bits of the hash.';

create index picture_hashes_band_0 on picture_hashes (user_id, band_0, is_centre);
create index picture_hashes_band_1 on picture_hashes (user_id, band_1, is_centre);
create index picture_hashes_band_2 on picture_hashes (user_id, band_2, is_centre);
create index picture_hashes_band_3 on picture_hashes (user_id, band_3, is_centre);
-- No index has the centres alone: where the planner takes them for few, it would read all of them in place of bands.
create index picture_hashes_group on picture_hashes (group_id, is_centre, media_item_id);
create index picture_hashes_best on picture_hashes (group_id, score desc, media_item_id) where visibility = 'visible';
create index picture_hashes_set_aside on picture_hashes (group_id, media_item_id) where is_set_aside;

create table unsettled_pictures (
  media_item_id uuid primary key references picture_hashes on delete cascade,
  user_id       uuid not null
);
comment on table unsettled_pictures is
  'Derived: photos whose group may be another one since a photo before them has changed groups, and that were too many to be settled with it. Empty nearly always.';
comment on column unsettled_pictures.media_item_id is 'The photo that is to be settled.';
comment on column unsettled_pictures.user_id is 'The owner of the photo, which never changes.';

-- What would be lost with the photo, from the first to the last: a video half or a camera's raw data, which no still
-- copy has; pixels in units of 64 × 64; sharpness times the size of the file in bytes, since a worse copy may be a
-- little sharper by its noise, or a little larger, but not both. Last comes what a photo that is kept is given anyway:
-- the mark as a favourite, a description. It is an exact number of JavaScript, of 53 bits.
create function duplicate_score(item media_items, sharpness real) returns bigint language sql immutable parallel safe return
  ((item.motion_item_id is not null or item.category = 'MOTION' or item.mime_type like 'image/x-%')::integer::bigint << 52)
  | (least(coalesce(item.width_px::bigint * item.height_px, 0) >> 12, 1048575) << 32)
  | (least(round(item.size_bytes * greatest(sharpness, 0)::float8), 1073741823)::bigint << 2)
  | (item.is_favourite::integer << 1)
  | (coalesce(item.description, '') <> '')::integer;

-- The id of the group of a centre: its own, unless others have stayed in a group that it has left. Sorted, so that the
-- index is read also where the planner takes every group for a large one.
create function free_duplicate_group(id uuid) returns uuid language sql stable return
  case when (
    select true from picture_hashes where group_id = free_duplicate_group.id
    order by group_id, is_centre, media_item_id limit 1) then gen_random_uuid()
  else free_duplicate_group.id end;

create function lock_duplicates(user_id uuid) returns void language sql begin atomic
  select pg_advisory_xact_lock(7301950, hashtext(user_id::text));
end;

-- A group has a row from its second photo on, so where there is none it has two at the most.
create function join_duplicates(joined picture_hashes) returns void language plpgsql as $$
begin
  update duplicate_groups set member_count = member_count + 1,
    item_count = item_count + (joined.visibility = 'visible')::integer,
    trashed_count = trashed_count + joined.is_set_aside::integer,
    reviewed_at = case when joined.visibility <> 'visible' then reviewed_at end,
    revision = case when joined.visibility = 'visible' then nextval('duplicate_group_revisions') else revision end
  where id = joined.group_id;
  if not found then
    insert into duplicate_groups (id, user_id, member_count, item_count, trashed_count)
    select group_id, user_id, count(*), count(*) filter (where visibility = 'visible'), count(*) filter (where is_set_aside)
    from (
      select * from picture_hashes where group_id = joined.group_id order by group_id, is_centre, media_item_id limit 2) as photos
    group by group_id, user_id having count(*) = 2;
  end if;
end $$;

create function leave_duplicates(gone picture_hashes) returns void language plpgsql as $$
begin
  update duplicate_groups set member_count = member_count - 1,
    item_count = item_count - (gone.visibility = 'visible')::integer,
    trashed_count = trashed_count - gone.is_set_aside::integer
  where id = gone.group_id;
  delete from duplicate_groups where id = gone.group_id and member_count = 1;
end $$;

create function count_duplicates() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform join_duplicates(new);
  elsif tg_op = 'DELETE' then
    perform lock_duplicates(old.user_id);
    perform leave_duplicates(old);
    if old.is_centre then
      update picture_hashes set is_centre = true where media_item_id = (
        select media_item_id from picture_hashes where group_id = old.group_id and not is_centre order by media_item_id limit 1);
    end if;
  elsif old.group_id <> new.group_id then
    perform leave_duplicates(old);
    perform join_duplicates(new);
  else
    update duplicate_groups set
      item_count = item_count + (new.visibility = 'visible')::integer - (old.visibility = 'visible')::integer,
      trashed_count = trashed_count + new.is_set_aside::integer - old.is_set_aside::integer,
      revision = case
        when new.visibility = 'visible' and old.visibility <> 'visible' then nextval('duplicate_group_revisions')
        else revision end
    where id = new.group_id;
  end if;
  return null;
end $$;

create trigger picture_hashes_insert after insert on picture_hashes for each row execute function count_duplicates();
create trigger picture_hashes_update after update on picture_hashes for each row
  when ((old.group_id, old.visibility, old.is_set_aside) is distinct from (new.group_id, new.visibility, new.is_set_aside))
  execute function count_duplicates();
create trigger picture_hashes_delete after delete on picture_hashes for each row
  when (not is_removing_account()) execute function count_duplicates();

-- Whether what goes to the trash in this transaction goes there by a review.
create function is_reviewing_duplicates() returns boolean language sql stable
return coalesce(current_setting('hearth.is_reviewing_duplicates', true), '') = 'on';

-- Whoever changes the item has locked it, and so has whoever writes its hash.
create function follow_picture_hash() returns trigger language plpgsql as $$
begin
  if exists (select from picture_hashes where media_item_id = new.id) then
    perform lock_duplicates(new.user_id);
    update picture_hashes set visibility = new.visibility,
      is_set_aside = new.visibility = 'trash' and (is_set_aside or is_reviewing_duplicates()),
      score = duplicate_score(new, sharpness)
    where media_item_id = new.id;
  end if;
  return null;
end $$;

create trigger media_items_picture_hash after update on media_items for each row
  when ((old.visibility, old.is_favourite, old.description, old.width_px, old.height_px, old.category, old.mime_type, old.motion_item_id)
    is distinct from
    (new.visibility, new.is_favourite, new.description, new.width_px, new.height_px, new.category, new.mime_type, new.motion_item_id))
  execute function follow_picture_hash();
