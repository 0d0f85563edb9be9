-- Content of items: places, things and people. All three are collections.

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
  'Truth: the address of some of a user''s items. Items with equal address columns share a place. The row is kept when the last item is '
  'gone, so that its id and the owner''s settings survive a rescan of the library.';
comment on column places.id is 'Id of its collection row.';
comment on column places.user_id is 'Owner of the library.';
comment on column places.country_code is 'Country code, ISO 3166-1 alpha-2.';
comment on column places.country is 'English name of the country.';
comment on column places.state is 'State or province of the country.';
comment on column places.city is 'Large city that contains the town, or is the town.';
comment on column places.town is 'English name of the town or village.';
comment on column places.name is 'Name of the place: the most specific part of the address.';
comment on column places.created_at is 'Time of the first item there.';
comment on column places.updated_at is 'Time of the last change.';
comment on column places.sort_name is 'Sort key of the name, see [Note: Names in order].';

create unique index places_identity on places
  (user_id, country_code, coalesce(state, ''), coalesce(city, ''), coalesce(town, ''));
create index places_by_name on places (user_id, sort_name, id);

create trigger places_collection after insert on places for each row execute function make_collection('place');

create table media_item_places (
  media_item_id uuid primary key references media_items on delete cascade,
  place_id      uuid not null references places on delete cascade,
  postcode      text check (postcode <> '')
);
comment on table media_item_places is 'Derived: the place of an item, at most one, found by the component PLACES.';
comment on column media_item_places.media_item_id is 'Item taken at the place.';
comment on column media_item_places.place_id is 'Place of the item.';
comment on column media_item_places.postcode is 'Postcode of the item; a city has hundreds of them.';

create index media_item_places_place_id on media_item_places (place_id, postcode);

-- Code that writes the place of an item must hold the lock of the item.
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
comment on table things is 'Truth: an object or scene detected in items of a user.';
comment on column things.id is 'Id of its collection row.';
comment on column things.user_id is 'Owner of the library.';
comment on column things.name is 'Name: an everyday English noun.';
comment on column things.synonyms is 'Additional search terms, separated by spaces.';
comment on column things.created_at is 'Time of the first detection.';
comment on column things.updated_at is 'Time of the last change.';
comment on column things.sort_name is 'Sort key of the name, see [Note: Names in order].';

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
comment on table people is 'Truth: a person in items of a user, with all items that have a face of the person.';
comment on column people.id is 'Id of its collection row.';
comment on column people.user_id is 'Owner of the library.';
comment on column people.name is 'Name given by the user; null until then.';
comment on column people.is_hidden is 'True if the user hid the person from all lists.';
comment on column people.created_at is 'Time of the first face.';
comment on column people.updated_at is 'Time of the last change.';
comment on column people.sort_name is 'Sort key of the name, see [Note: Names in order]; null without a name.';

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
comment on table faces is 'Truth: a face in an item, and its person. The box is in fractions of the upright picture.';
comment on column faces.id is 'Id of the face, also used in its object key.';
comment on column faces.media_item_id is 'Item that shows the face.';
comment on column faces.person_id is 'Person of the face; null for a face of poor quality that resembles no known person.';
comment on column faces.box_left is 'Left edge of the box.';
comment on column faces.box_top is 'Top edge of the box.';
comment on column faces.box_width is 'Width of the box, as a fraction.';
comment on column faces.box_height is 'Height of the box, as a fraction.';
comment on column faces.quality is 'Suitability as the person''s picture; higher is better.';
comment on column faces.thumbnail_key is 'Object key of the face thumbnail.';
comment on column faces.thumbnail_bytes is 'Size of the thumbnail, in bytes; null for old faces until the scrub measures them.';
comment on column faces.visibility is
  'Copy of the item''s visibility, maintained by a trigger, so that one index finds a person''s best visible face.';
comment on column faces.joined_at is
  'Time at which this face was last assigned to a person or removed from one. Merges and splits of people do not change it.';

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
  'Derived: the embedding of a face, by the component FACES, see [Note: Faces that are alike]. The API never returns it.';
comment on column face_embeddings.face_id is 'Face described by the embedding.';
comment on column face_embeddings.user_id is 'Owner of the item.';
comment on column face_embeddings.version is 'Version of the embedding; only equal versions are comparable.';
comment on column face_embeddings.embedding is 'Unit vector of 16-bit floats, little-endian.';
comment on column face_embeddings.is_founding is 'True if the face is good enough to create a person; other faces only join one.';
comment on column face_embeddings.likeness is
  'Cosine similarity of a non-founding face to the most similar founding face of its person, -1 to 1; null without one.';

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
comment on table person_centroids is 'Derived: mean embeddings of a person, used to select people whose faces are then compared one by one.';
comment on column person_centroids.person_id is 'Person of the averaged faces.';
comment on column person_centroids.version is 'Version of the embeddings.';
comment on column person_centroids.look is 'Number of the person''s cluster of similar faces, from 0; most people have one.';
comment on column person_centroids.centroid is
  'Mean of the founding faces ever added to this cluster, as 16-bit floats; removed faces do not change it.';
comment on column person_centroids.faces is 'Number of founding faces added.';

create table face_rejections (
  face_id    uuid not null references faces on delete cascade,
  person_id  uuid not null references people on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (face_id, person_id)
);
comment on table face_rejections is 'Truth: a user''s statement that a face does not belong to a person.';
comment on column face_rejections.face_id is 'Face removed from the person.';
comment on column face_rejections.person_id is 'Person that the face does not show.';
comment on column face_rejections.created_at is 'Time of the rejection.';

create index face_rejections_person_id on face_rejections (person_id);

create table people_off (
  user_id          uuid primary key references users on delete cascade,
  since            timestamptz not null default now(),
  forgetting_since timestamptz,
  forgotten_at     timestamptz
);
comment on table people_off is
  'Truth: an account for which the feature people is off, by its own setting or the server''s, see [Note: People switched off].';
comment on column people_off.user_id is 'Account without the feature.';
comment on column people_off.since is 'First time the feature was seen switched off; names and faces are kept for 30 days from then.';
comment on column people_off.forgetting_since is 'Start of the deletion of names and faces, which then finishes even if the feature is switched on.';
comment on column people_off.forgotten_at is 'End of the deletion.';

create function follow_media_item_faces() returns trigger language plpgsql as $$
begin
  update faces set visibility = new.visibility where media_item_id = new.id;
  return null;
end $$;

create trigger media_items_faces after update on media_items for each row
  when (old.visibility is distinct from new.visibility) execute function follow_media_item_faces();
