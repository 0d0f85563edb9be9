-- What items show: where they were taken, what is seen on them, and who. Places, things and people are collections.

create table places (
  id           uuid primary key references collections on delete cascade deferrable initially deferred,
  user_id      uuid not null references users on delete cascade,
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  country      text not null,
  state        text check (state <> ''),
  city         text check (city <> ''),
  town         text check (town <> ''),
  name         text not null generated always as (coalesce(town, city, state, country)) stored,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  sort_name    text collate "C" not null generated always as (sort_key_of(coalesce(town, city, state, country))) stored
);
comment on table places is
  'Truth: where some of a user''s items were taken, in words. Two items belong to one place when all of these words are the same; the row '
  'stays when none is left, so that what was chosen for it, and its address, outlive a library that is sorted again.';
comment on column places.id is 'The collection that it is.';
comment on column places.user_id is 'The user in whose library the place is.';
comment on column places.country_code is 'The country by ISO 3166-1.';
comment on column places.country is 'The country''s English name.';
comment on column places.state is 'The state or province.';
comment on column places.city is 'The large city that the town is, or lies in.';
comment on column places.town is 'The English name of the town or village.';
comment on column places.name is 'What a person would call it.';
comment on column places.created_at is 'When the first item from there came.';
comment on column places.updated_at is 'When it was last changed.';
comment on column places.sort_name is 'The key that places are sorted by, see [Note: Names in order].';

create unique index places_identity on places
  (user_id, country_code, coalesce(state, ''), coalesce(city, ''), coalesce(town, ''));
create index places_by_name on places (user_id, sort_name, id);

create trigger places_collection after insert on places for each row execute function make_collection('place');

create table media_item_places (
  media_item_id uuid primary key references media_items on delete cascade,
  place_id      uuid not null references places on delete cascade,
  postcode      text check (postcode <> '')
);
comment on table media_item_places is 'Derived: the place of an item, by the component PLACES: one, or none.';
comment on column media_item_places.media_item_id is 'The item that was taken at the place.';
comment on column media_item_places.place_id is 'The place at which the item was taken.';
comment on column media_item_places.postcode is 'The item''s, not the place''s: a city has hundreds.';

create index media_item_places_place_id on media_item_places (place_id, postcode);

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
  for each row when (not is_removing_account()) execute function put_item_into_place();
create trigger media_item_places_moved after update on media_item_places
  for each row when (old.place_id is distinct from new.place_id) execute function put_item_into_place();

create table things (
  id         uuid primary key references collections on delete cascade deferrable initially deferred,
  user_id    uuid not null references users on delete cascade,
  name       text not null check (name <> ''),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_name  text collate "C" not null generated always as (sort_key_of(name)) stored,
  unique (user_id, name)
);
comment on table things is 'Truth: something that is seen on items of a user.';
comment on column things.id is 'The collection that it is.';
comment on column things.user_id is 'The user in whose library the thing is.';
comment on column things.name is 'What it is: an everyday English noun.';
comment on column things.created_at is 'When it was first seen.';
comment on column things.updated_at is 'When it was last changed.';
comment on column things.sort_name is 'The key that things are sorted by, see [Note: Names in order].';

create index things_by_name on things (user_id, sort_name, id);

create trigger things_collection after insert on things for each row execute function make_collection('thing');

create table people (
  id         uuid primary key references collections on delete cascade deferrable initially deferred,
  user_id    uuid not null references users on delete cascade,
  name       text check (name <> ''),
  is_hidden  boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_name  text collate "C" generated always as (sort_key_of(name)) stored
);
comment on table people is 'Truth: somebody who is seen on items of a user: the items of a person are those with a face of theirs.';
comment on column people.id is 'The collection that it is.';
comment on column people.user_id is 'The user in whose library the person is.';
comment on column people.name is 'The name that the user has given; null until then.';
comment on column people.is_hidden is 'Whether the user has taken the person out of every list.';
comment on column people.created_at is 'When the first face was found.';
comment on column people.updated_at is 'When the person was last changed.';
comment on column people.sort_name is 'The key that people are sorted by, see [Note: Names in order]; null without a name.';

create index people_user_id on people (user_id);

create trigger people_collection after insert on people for each row execute function make_collection('person');

create table faces (
  id            uuid primary key,
  media_item_id uuid not null references media_items on delete cascade,
  person_id     uuid not null references people on delete cascade,
  box_left      double precision not null,
  box_top       double precision not null,
  box_width     double precision not null,
  box_height    double precision not null,
  quality       double precision not null,
  thumbnail_key text not null,
  visibility    text not null
);
comment on table faces is 'Truth: a face on an item, and whose it is. The box is in fractions of the upright picture.';
comment on column faces.id is 'Names the face, also in the key of its object.';
comment on column faces.media_item_id is 'The item on which the face was found.';
comment on column faces.person_id is 'The person whose face it is.';
comment on column faces.box_left is 'Where the box begins, from the left.';
comment on column faces.box_top is 'Where the box begins, from the top.';
comment on column faces.box_width is 'How wide the box is.';
comment on column faces.box_height is 'How high the box is.';
comment on column faces.quality is 'The higher, the better it stands for the person.';
comment on column faces.thumbnail_key is 'The object of the picture of the face.';
comment on column faces.visibility is
  'The item''s own, kept here by a trigger, so that the best face that is shown of a person is read from one index.';

create index faces_media_item_id on faces (media_item_id);
create index faces_best on faces (person_id, visibility, quality desc, id);

create function follow_media_item_faces() returns trigger language plpgsql as $$
begin
  update faces set visibility = new.visibility where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_faces after update on media_items for each row
  when (old.visibility is distinct from new.visibility) execute function follow_media_item_faces();

-- The map: how many visible items were taken where, in cells that are kept as [Note: Kept counts] has it.
--
-- A cell of level 0 is the world, 360 degrees wide and, half of it empty, 360 high; each level halves both. The finest,
-- 22, has cells of 10 m at the equator. The number of a cell is made of the bits of its column and its row in turns (a
-- Morton code), so that a cell of a coarser level is the number without its last bits, and what lies in it lies in one
-- range.

-- Of whole numbers and sums of powers of two, so that the same position is the same cell on every machine.
create function map_cell(latitude double precision, longitude double precision) returns bigint
language plpgsql immutable parallel safe as $$
declare
  x bigint := greatest(0, least(4194303, floor((longitude + 180) / 360 * 4194304)));
  y bigint := greatest(0, least(2097151, floor((latitude + 90) / 360 * 4194304)));
begin
  x := (x | (x << 16)) & 281470681808895;
  x := (x | (x << 8)) & 71777214294589695;
  x := (x | (x << 4)) & 1085102592571150095;
  x := (x | (x << 2)) & 3689348814741910323;
  x := (x | (x << 1)) & 6148914691236517205;
  y := (y | (y << 16)) & 281470681808895;
  y := (y | (y << 8)) & 71777214294589695;
  y := (y | (y << 4)) & 1085102592571150095;
  y := (y | (y << 2)) & 3689348814741910323;
  y := (y | (y << 1)) & 6148914691236517205;
  return x | (y << 1);
end $$;

-- Finds an item that is shown for a cell.
create index media_items_map on media_items (user_id, map_cell(latitude, longitude), id)
  where visibility = 'visible' and latitude is not null and longitude is not null;

create table map_cells (
  user_id      uuid not null references users on delete cascade,
  level        smallint not null,
  cell         bigint not null,
  n            integer not null,
  latitude_e7  bigint not null,
  longitude_e7 bigint not null,
  primary key (user_id, level, cell)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table map_cells is
  'Derived: the visible items that were taken in a cell of the map. Positions are summed in ten-millionths of a degree, 1 cm: whole numbers '
  'add up and away again without a rest.';
comment on column map_cells.user_id is 'The user whose items are counted.';
comment on column map_cells.level is 'How fine the cell is.';
comment on column map_cells.cell is 'The number of the cell on its level.';
comment on column map_cells.n is 'How many items, but for what map_deltas has.';
comment on column map_cells.latitude_e7 is 'The sum of the latitudes of these items.';
comment on column map_cells.longitude_e7 is 'The sum of the longitudes of these items.';

create table map_deltas (
  id           bigint generated always as identity primary key,
  user_id      uuid not null,
  cell         bigint not null,
  n            integer not null,
  latitude_e7  bigint not null,
  longitude_e7 bigint not null
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table map_deltas is 'Derived: what has changed since; the housekeeper rolls it up into map_cells.';
comment on column map_deltas.id is 'The order in which rows came.';
comment on column map_deltas.user_id is 'The user whose items have come or gone.';
comment on column map_deltas.cell is 'The cell of the finest level.';
comment on column map_deltas.n is 'How many items have come, or with a minus, have gone.';
comment on column map_deltas.latitude_e7 is 'The sum of the latitudes of these items.';
comment on column map_deltas.longitude_e7 is 'The sum of the longitudes of these items.';

create index map_deltas_user_id on map_deltas (user_id, cell);

-- Of rows, with conditions: most items are written several times before they have a position and never after, and that
-- must cost nothing.
create function append_map_deltas() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.visibility = 'visible' and old.latitude is not null and old.longitude is not null then
    insert into map_deltas (user_id, cell, n, latitude_e7, longitude_e7)
    values (old.user_id, map_cell(old.latitude, old.longitude), -1, -round(old.latitude * 1e7), -round(old.longitude * 1e7));
  end if;
  if tg_op <> 'DELETE' and new.visibility = 'visible' and new.latitude is not null and new.longitude is not null then
    insert into map_deltas (user_id, cell, n, latitude_e7, longitude_e7)
    values (new.user_id, map_cell(new.latitude, new.longitude), 1, round(new.latitude * 1e7), round(new.longitude * 1e7));
  end if;
  return null;
end $$;

create trigger media_items_map_insert after insert on media_items for each row
  when (new.latitude is not null) execute function append_map_deltas();
create trigger media_items_map_update after update on media_items for each row
  when ((old.latitude is not null or new.latitude is not null)
    and (old.user_id, old.visibility, old.latitude, old.longitude)
      is distinct from (new.user_id, new.visibility, new.latitude, new.longitude))
  execute function append_map_deltas();
create trigger media_items_map_delete after delete on media_items for each row
  when (old.latitude is not null and not is_removing_account()) execute function append_map_deltas();
