-- What a review has seen of a group of duplicates: whoever moves the rest of it to the trash says how far the group was
-- known. And which photos are yet to be put into the group that is theirs by now.

create sequence duplicate_group_revisions;

alter table duplicate_groups add column revision bigint not null default nextval('duplicate_group_revisions');
comment on column duplicate_groups.revision is
  'Another number whenever a visible photo has joined it or is visible again; no number is given twice, also not to a group that is made anew.';
alter sequence duplicate_group_revisions owned by duplicate_groups.revision;

create table unsettled_pictures (
  media_item_id uuid primary key references picture_hashes on delete cascade,
  user_id       uuid not null
);
comment on table unsettled_pictures is
  'Derived: photos whose group may be another one since a photo before them has changed groups, and that were too many to be settled with it. Empty nearly always.';
comment on column unsettled_pictures.media_item_id is 'The photo that is to be settled.';
comment on column unsettled_pictures.user_id is 'The owner of the photo, which never changes.';

-- As they were, but with the revision.
create or replace function join_duplicates(joined picture_hashes) returns void language plpgsql as $$
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

create or replace function count_duplicates() returns trigger language plpgsql as $$
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
