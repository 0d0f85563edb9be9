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
  synonyms   text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_name  text collate "C" not null generated always as (sort_key_of(name)) stored,
  unique (user_id, name)
);
comment on table things is 'Truth: something that is seen on items of a user.';
comment on column things.id is 'The collection that it is.';
comment on column things.user_id is 'The user in whose library the thing is.';
comment on column things.name is 'What it is: an everyday English noun.';
comment on column things.synonyms is 'Other words by which search finds it, with spaces between.';
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
  id              uuid primary key,
  media_item_id   uuid not null references media_items on delete cascade,
  person_id       uuid references people on delete cascade,
  box_left        double precision not null,
  box_top         double precision not null,
  box_width       double precision not null,
  box_height      double precision not null,
  quality         double precision not null,
  thumbnail_key   text not null,
  thumbnail_bytes integer,
  visibility      text not null,
  joined_at       timestamptz not null default clock_timestamp()
);
comment on table faces is 'Truth: a face on an item, and whose it is. The box is in fractions of the upright picture.';
comment on column faces.id is 'Names the face, also in the key of its object.';
comment on column faces.media_item_id is 'The item on which the face was found.';
comment on column faces.person_id is
  'The person whose face it is; null of one that founds no person, and that is like nobody who is known yet.';
comment on column faces.box_left is 'Where the box begins, from the left.';
comment on column faces.box_top is 'Where the box begins, from the top.';
comment on column faces.box_width is 'How wide the box is.';
comment on column faces.box_height is 'How high the box is.';
comment on column faces.quality is 'The higher, the better it stands for the person.';
comment on column faces.thumbnail_key is 'The object of the picture of the face.';
comment on column faces.thumbnail_bytes is
  'The size of that picture; null until the scrub has filled it in for older faces.';
comment on column faces.visibility is
  'The item''s own, kept here by a trigger, so that the best face that is shown of a person is read from one index.';
comment on column faces.joined_at is
  'When the face by itself was last given to a person or taken away; that its person is merged or separated leaves it.';

create index faces_media_item_id on faces (media_item_id);
create index faces_best on faces (person_id, visibility, quality desc, id);

create table face_embeddings (
  face_id     uuid primary key references faces on delete cascade,
  user_id     uuid not null references users on delete cascade,
  version     integer not null,
  embedding   bytea not null,
  is_founding boolean not null,
  likeness    real
);
comment on table face_embeddings is
  'Derived: what tells a face from others, by the component FACES, see [Note: Faces that are alike]. It is in no answer of the API.';
comment on column face_embeddings.face_id is 'The face that is recognised by it.';
comment on column face_embeddings.user_id is 'The user on whose item the face is.';
comment on column face_embeddings.version is 'Only embeddings of one version can be compared.';
comment on column face_embeddings.embedding is 'Half floats, the lower byte first, of length 1 together.';
comment on column face_embeddings.is_founding is
  'Whether the face is good enough to make a person known; any other one only joins somebody.';
comment on column face_embeddings.likeness is
  'Of a face that founds nobody: how like it the founding face is by which it has its person, −1 to 1; null where there is none.';

create index face_embeddings_user_id on face_embeddings (user_id);
create index face_embeddings_waiting on face_embeddings (user_id, version) where not is_founding and likeness is null;

create table person_centroids (
  person_id uuid not null references people on delete cascade,
  version   integer not null,
  look      integer not null,
  centroid  bytea not null,
  faces     integer not null,
  primary key (person_id, version, look)
);
comment on table person_centroids is
  'Derived: roughly what a person looks like, by which those are chosen whose faces are compared one by one.';
comment on column person_centroids.person_id is 'The person whose faces it is the mean of.';
comment on column person_centroids.version is 'The version of the embeddings.';
comment on column person_centroids.look is 'Which of the looks of the person, from 0: most people have one.';
comment on column person_centroids.centroid is
  'The mean of the founding faces of that look that have come to the person, in half floats; a face that goes leaves it as it is.';
comment on column person_centroids.faces is 'How many founding faces have come.';

create table face_rejections (
  face_id    uuid not null references faces on delete cascade,
  person_id  uuid not null references people on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (face_id, person_id)
);
comment on table face_rejections is 'Truth: a user has said that this face is not that person''s.';
comment on column face_rejections.face_id is 'The face that was taken out of the person.';
comment on column face_rejections.person_id is 'The person whose face it is not.';
comment on column face_rejections.created_at is 'When it was said.';

create index face_rejections_person_id on face_rejections (person_id);

create table people_off (
  user_id          uuid primary key references users on delete cascade,
  since            timestamptz not null default now(),
  forgetting_since timestamptz,
  forgotten_at     timestamptz
);
comment on table people_off is
  'Truth: an account without the feature people, by its own switch or the server''s, see [Note: People switched off].';
comment on column people_off.user_id is 'The account without the feature.';
comment on column people_off.since is 'When the feature was first seen switched off; its names and faces are kept for 30 days from then on.';
comment on column people_off.forgetting_since is 'When the removal of its names and faces began; from then on it is finished even if the feature comes back.';
comment on column people_off.forgotten_at is 'When the removal was complete.';

create function follow_media_item_faces() returns trigger language plpgsql as $$
begin
  update faces set visibility = new.visibility where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_faces after update on media_items for each row
  when (old.visibility is distinct from new.visibility) execute function follow_media_item_faces();
