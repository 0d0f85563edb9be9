-- Records of manual merges of people, so that they can be undone.

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
  'Truth: the previous state of a person whom a user merged into another one, so that the merge can be undone, '
  'see [Note: Merges that are taken back].';
comment on column merged_people.id is 'Id of the merged person, used again after an undo.';
comment on column merged_people.person_id is 'Person who has the faces now.';
comment on column merged_people.into_id is 'Target of the merge: person_id, or a person merged later, whose merge must be undone first.';
comment on column merged_people.name is 'Name before the merge.';
comment on column merged_people.gave_name is 'True if the target got its name from this person; false once a user renames the target.';
comment on column merged_people.is_hidden is 'True if the person was hidden.';
comment on column merged_people.cover_id is 'Cover chosen before the merge.';
comment on column merged_people.created_at is 'Time of the person''s first face.';
comment on column merged_people.merged_at is 'Time of the merge.';

create index merged_people_person_id on merged_people (person_id);
create index merged_people_into_id on merged_people (into_id);
create index merged_people_cover_id on merged_people (cover_id) where cover_id is not null;

create table merged_faces (
  person_id uuid not null references merged_people on delete cascade,
  face_id   uuid not null references faces on delete cascade,
  primary key (person_id, face_id)
);
comment on table merged_faces is 'Truth: a face that a merged person had.';
comment on column merged_faces.person_id is 'Person before the merge.';
comment on column merged_faces.face_id is 'Face of that person.';

create index merged_faces_face_id on merged_faces (face_id);

create table merged_rejections (
  person_id  uuid not null references merged_people on delete cascade,
  face_id    uuid not null references faces on delete cascade,
  created_at timestamptz not null,
  primary key (person_id, face_id)
);
comment on table merged_rejections is
  'Truth: a user''s statement that a face does not belong to a person who was merged later. It also applies to the target of the merge.';
comment on column merged_rejections.person_id is 'Person that the face does not show.';
comment on column merged_rejections.face_id is 'Face removed from the person.';
comment on column merged_rejections.created_at is 'Time of the rejection.';

create index merged_rejections_face_id on merged_rejections (face_id);
