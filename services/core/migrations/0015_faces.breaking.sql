-- Faces that were not found again, and embeddings that are read in the order in which they were written.

comment on column faces.visibility is
  'The item''s own, kept here by a trigger, so that the best face that is shown of a person is read from one index; or `missed` of a face that the last '
  'run did not find, and of which a user has said something, see [Note: Faces that are missed].';

create or replace function follow_media_item_faces() returns trigger language plpgsql as $$
begin
  update faces set visibility = new.visibility where media_item_id = new.id and visibility <> 'missed';
  return null;
end $$;

-- New faces are compared with all faces of their user, see [Note: Embeddings in memory].
create sequence face_embeddings_written;
alter table face_embeddings add column written bigint not null default nextval('face_embeddings_written');
alter sequence face_embeddings_written owned by face_embeddings.written;
comment on column face_embeddings.written is
  'Rises with each embedding that is written: whoever has read those of a user reads on behind the last one.';

create index face_embeddings_written_of_user on face_embeddings (user_id, written);
drop index face_embeddings_user_id;
drop index face_embeddings_waiting;

drop table person_centroids;
