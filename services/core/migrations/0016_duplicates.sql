-- Duplicates: perceptual hashes of photos, and groups of photos that show the same.
--
-- [Note: Duplicates] Two photos of a library are similar if their hashes differ in few bits and their embeddings are
-- close. A group is star-shaped: one photo is the representative (column is_centre), and every other photo is similar
-- to it. In the order of ids, which is the order of uploads, a photo joins the group of the first representative before
-- it that is similar, or becomes one itself. So the groups do not depend on the order of processing, no chain of small
-- differences connects different photos, and a photo is compared only with representatives. If a photo with a smaller
-- id is processed late and becomes a representative, later similar photos are regrouped.
--
-- Groups are independent of lists: hidden and trashed photos stay in their group and are counted separately. If a
-- representative is deleted permanently, the first of the other photos replaces it. Code that writes a hash or data
-- derived from it takes a lock of the user, after all locks of items.

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
  'Truth: a group of two or more photos that show the same, in any list, and the owner''s review, see [Note: Duplicates].';
comment on column duplicate_groups.id is 'Id of the group: that of its first representative, or a random one if another group already has that id.';
comment on column duplicate_groups.user_id is 'Owner of the photos.';
comment on column duplicate_groups.member_count is 'Number of photos in all lists, at least two.';
comment on column duplicate_groups.item_count is 'Number of visible photos.';
comment on column duplicate_groups.trashed_count is 'Number of photos moved to the trash by the group''s review.';
comment on column duplicate_groups.reviewed_at is 'Time of the owner''s review; null again after another visible photo joins.';
comment on column duplicate_groups.kept_id is 'Photo that received the albums, favourite mark and description of the trashed ones.';
comment on column duplicate_groups.given_albums is 'Albums that received that photo in the review.';
comment on column duplicate_groups.gave_favourite is 'True if the review made that photo a favourite.';
comment on column duplicate_groups.given_description is 'Description that the review gave that photo, if it had none.';
comment on column duplicate_groups.revision is
  'Changes when a visible photo joins or a photo becomes visible again. Values are never reused, even if a group is created again.';
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
  'Derived: the perceptual hash of a photo, by the component SEARCH, and its group, see [Note: Duplicates]. The API never returns it.';
comment on column picture_hashes.media_item_id is 'Photo described by the hash.';
comment on column picture_hashes.user_id is 'Owner of the photo, never changes.';
comment on column picture_hashes.hash is 'Perceptual hash of 64 bits; similar pictures differ in few bits.';
comment on column picture_hashes.sharpness is 'Amount of detail at 640 pixels, relative to the contrast.';
comment on column picture_hashes.group_id is 'Group of the photo. A single photo has one too, without a row in duplicate_groups.';
comment on column picture_hashes.is_centre is 'True for the representative of the group.';
comment on column picture_hashes.is_set_aside is 'True if the group''s review moved the photo to the trash.';
comment on column picture_hashes.visibility is 'Copy of the item''s visibility, maintained by a trigger.';
comment on column picture_hashes.score is 'Rank in the group: the photo with the highest score is suggested to keep.';
comment on column picture_hashes.band_0 is
  'Bits 1 to 16 of the hash. If two hashes differ in at most 7 bits, one of the four bands differs in at most one bit.';
comment on column picture_hashes.band_1 is 'Bits 17 to 32 of the hash.';
comment on column picture_hashes.band_2 is 'Bits 33 to 48 of the hash.';
comment on column picture_hashes.band_3 is 'Bits 49 to 64 of the hash.';

create index picture_hashes_band_0 on picture_hashes (user_id, band_0, is_centre);
create index picture_hashes_band_1 on picture_hashes (user_id, band_1, is_centre);
create index picture_hashes_band_2 on picture_hashes (user_id, band_2, is_centre);
create index picture_hashes_band_3 on picture_hashes (user_id, band_3, is_centre);
-- No index contains only representatives: if the planner underestimated their number, it would scan all of them instead
-- of using the bands.
create index picture_hashes_group on picture_hashes (group_id, is_centre, media_item_id);
create index picture_hashes_best on picture_hashes (group_id, score desc, media_item_id) where visibility = 'visible';
create index picture_hashes_set_aside on picture_hashes (group_id, media_item_id) where is_set_aside;

create table unsettled_pictures (
  media_item_id uuid primary key references picture_hashes on delete cascade,
  user_id       uuid not null
);
comment on table unsettled_pictures is
  'Derived: photos to regroup because an earlier photo changed its group, when there were too many to regroup in the same transaction. '
  'Nearly always empty.';
comment on column unsettled_pictures.media_item_id is 'Photo to regroup, with its hash.';
comment on column unsettled_pictures.user_id is 'Owner of the photo, never changes.';

-- Ranks the photos of a group by what would be lost without them. In descending order: a video half or camera raw data,
-- which no plain copy has; the number of pixels, in blocks of 64 x 64; sharpness times file size in bytes, because
-- noise can raise one of them in a worse copy, but not both; and last the favourite mark and the description, which the
-- kept photo receives anyway. Fits in 53 bits, so JavaScript represents it exactly.
create function duplicate_score(item media_items, sharpness real) returns bigint language sql immutable parallel safe return
  ((item.motion_item_id is not null or item.category = 'MOTION' or item.mime_type like 'image/x-%')::integer::bigint << 52)
  | (least(coalesce(item.width_px::bigint * item.height_px, 0) >> 12, 1048575) << 32)
  | (least(round(item.size_bytes * greatest(sharpness, 0)::float8), 1073741823)::bigint << 2)
  | (item.is_favourite::integer << 1)
  | (coalesce(item.description, '') <> '')::integer;

-- Returns the id for the group of a new representative: its own id, or a random one if photos have stayed in the group
-- that it left. The ORDER BY makes the planner use the index even if it expects a large group.
create function free_duplicate_group(id uuid) returns uuid language sql stable return
  case when (
    select true from picture_hashes where group_id = free_duplicate_group.id
    order by group_id, is_centre, media_item_id limit 1) then gen_random_uuid()
  else free_duplicate_group.id end;

create function lock_duplicates(user_id uuid) returns void language sql begin atomic
  select pg_advisory_xact_lock(7301950, hashtext(user_id::text));
end;

-- A group gets its row with its second photo, so a group without a row has at most two.
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

-- Returns true if a review of duplicates in this transaction moves photos to the trash.
create function is_reviewing_duplicates() returns boolean language sql stable
return coalesce(current_setting('hearth.is_reviewing_duplicates', true), '') = 'on';

-- Code that changes an item or writes its hash must hold the lock of the item.
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
