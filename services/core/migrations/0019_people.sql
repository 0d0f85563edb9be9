-- Who is seen on items. People are collections, as places and things are: the items of a person are those with a face of theirs.
alter table collections drop constraint collections_kind_check;
alter table collections add constraint collections_kind_check check (kind in ('album', 'place', 'thing', 'person'));

create table people (
  id         uuid primary key references collections on delete cascade deferrable initially deferred,
  user_id    uuid not null references users on delete cascade,
  name       text check (name <> ''), -- null until the user gives one
  is_hidden  boolean not null default false, -- left out of every list
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index people_user_id on people (user_id);

create trigger people_collection after insert on people for each row execute function make_collection('person');

-- The box is in fractions of the upright picture. The visibility is the item's own, kept here by a trigger, so that the best face that is
-- shown of a person is read from one index.
create table faces (
  id            uuid primary key,
  media_item_id uuid not null references media_items on delete cascade,
  person_id     uuid not null references people on delete cascade,
  box_left      double precision not null,
  box_top       double precision not null,
  box_width     double precision not null,
  box_height    double precision not null,
  quality       double precision not null, -- the higher, the better it stands for the person
  thumbnail_key text not null,
  visibility    text not null
);

create index faces_media_item_id on faces (media_item_id);
create index faces_best on faces (person_id, visibility, quality desc, id);

create function follow_media_item_faces() returns trigger language plpgsql as $$
begin
  update faces set visibility = new.visibility where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_faces after update on media_items for each row
  when (old.visibility is distinct from new.visibility) execute function follow_media_item_faces();

-- A page of a user's people who have a visible item, in the order of their list, and how many there are. A function, as find_jump, since the
-- planner cannot know how full collection_count_deltas is from one second to the next.
create function list_people(for_user uuid, of_hidden boolean, page_offset bigint, page_limit bigint)
returns table (id uuid, total bigint) rows 15 language plpgsql stable
set enable_seqscan = off set jit = off as $$
begin
  return query
    with counted as materialized (
      select people.id, lower(people.name) as name, people.created_at,
        coalesce((select n from collection_counts
          where collection_id = people.id and grain = 'all' and bucket = '-infinity'), 0)
        + coalesce((select sum(n) from collection_count_deltas where collection_id = people.id), 0) as n
      from people where people.user_id = for_user and people.is_hidden = of_hidden
    )
    select counted.id, count(*) over () from counted where n > 0
    order by counted.name, n desc, counted.created_at desc, counted.id offset page_offset limit page_limit;
end $$;
