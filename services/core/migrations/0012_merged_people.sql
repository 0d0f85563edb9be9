-- What is kept of people who were merged into others by hand, so that it can be taken back.

create table merged_people (
  id         uuid primary key,
  person_id  uuid not null references people on delete cascade,
  into_id    uuid not null,
  name       text check (name <> ''),
  gave_name  boolean not null,
  is_hidden  boolean not null,
  cover_id   uuid references media_items on delete set null,
  created_at timestamptz not null,
  merged_at  timestamptz not null default clock_timestamp()
);
comment on table merged_people is
  'Truth: somebody who was merged into another person by hand, as they were before, so that it can be taken back, see [Note: Merges that are taken back].';
comment on column merged_people.id is 'The id that the person had, and has again once it is taken back.';
comment on column merged_people.person_id is 'The person who has their faces now.';
comment on column merged_people.into_id is
  'The person into whom they were merged: person_id, or somebody who was merged later and comes back first.';
comment on column merged_people.name is 'The name that they had.';
comment on column merged_people.gave_name is
  'Whether the other one has the name from them; no longer once a user has named the other one.';
comment on column merged_people.is_hidden is 'Whether they were hidden.';
comment on column merged_people.cover_id is 'The cover that was chosen for them.';
comment on column merged_people.created_at is 'When their first face was found.';
comment on column merged_people.merged_at is 'When they were merged.';

create index merged_people_person_id on merged_people (person_id);
create index merged_people_into_id on merged_people (into_id);
create index merged_people_cover_id on merged_people (cover_id) where cover_id is not null;

create table merged_faces (
  person_id uuid not null references merged_people on delete cascade,
  face_id   uuid not null references faces on delete cascade,
  primary key (person_id, face_id)
);
comment on table merged_faces is 'Truth: a face that somebody had who was merged into another person.';
comment on column merged_faces.person_id is 'The person who had it.';
comment on column merged_faces.face_id is 'The face that was theirs.';

create index merged_faces_face_id on merged_faces (face_id);

create table merged_rejections (
  person_id  uuid not null references merged_people on delete cascade,
  face_id    uuid not null references faces on delete cascade,
  created_at timestamptz not null,
  primary key (person_id, face_id)
);
comment on table merged_rejections is 'Truth: a user has said that this face is not that of somebody who was merged since; it holds of who has their faces, too.';
comment on column merged_rejections.person_id is 'The person whose face it is not.';
comment on column merged_rejections.face_id is 'The face that was taken out.';
comment on column merged_rejections.created_at is 'When it was said.';

create index merged_rejections_face_id on merged_rejections (face_id);
