-- Where some of a user's items were taken, in words. Two items belong to one place when all of these words are the same; the
-- row stays when none is left, so that what was chosen for it, and its address, outlive a library that is sorted anew.
create table places (
  id           uuid primary key,
  user_id      uuid not null references users on delete cascade,
  country_code text not null check (country_code ~ '^[A-Z]{2}$'), -- ISO 3166-1
  country      text not null, -- its English name
  state        text check (state <> ''),
  city         text check (city <> ''), -- the large city that the town is, or lies in
  town         text check (town <> ''),
  name         text not null generated always as (coalesce(town, city, state, country)) stored, -- what a person would call it
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now()
);

create unique index places_identity on places
  (user_id, country_code, coalesce(state, ''), coalesce(city, ''), coalesce(town, ''));

-- The place of an item: one, or none. The postcode is the item's, not the place's: a city has hundreds.
create table media_item_places (
  media_item_id uuid primary key references media_items on delete cascade,
  place_id      uuid not null references places on delete cascade,
  postcode      text check (postcode <> '')
);

create index media_item_places_place_id on media_item_places (place_id, postcode);

-- Items of before get the run that they would have had; the sweeper finds it.
insert into component_runs (media_item_id, component, version)
select id, 'PLACES', 1 from media_items where removing_at is null
on conflict do nothing;
