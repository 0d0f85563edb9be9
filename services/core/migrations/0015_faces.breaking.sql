-- Faces missed by the last run, and embeddings that can be read in the order of their writes.

comment on column faces.visibility is
  'Copy of the item''s visibility, maintained by a trigger, so that one index finds a person''s best visible face; or `missed` if the last '
  'run did not find the face but user input depends on it, see [Note: Faces that are missed].';

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
  'Number of the write, increasing. Readers that have cached a user''s embeddings read only those after the last one.';

create index face_embeddings_written_of_user on face_embeddings (user_id, written);
drop index face_embeddings_user_id;
drop index face_embeddings_waiting;

drop table person_centroids;
