-- Search suggestions: collections by words of their names, and cameras.

-- Words of a place's own name also point to the place (field l), for suggestions only. Searches find items by all words
-- of their address, including the country, which belong to the items (field p).
alter table search_words drop constraint search_words_field_check;
alter table search_words drop constraint search_words_check;
alter table search_words add constraint search_words_field_check
  check (field in ('f', 'd', 'c', 'p', 't', 'a', 'o', 'i', 'l'));
alter table search_words add constraint search_words_check check ((field in ('a', 'o', 'i', 'l')) = (collection_id is not null));
comment on column search_words.field is
  'Field of the word: filename (f), description (d), camera (c), place (p), text in the picture (t), or the name of an album (a), a thing '
  '(o), a person who is not hidden (i) or a place (l, for suggestions only).';

insert into search_words (user_id, field, word, collection_id, edits)
select distinct user_id, 'l', word, id, '{}'::bigint[] from places cross join lateral unnest(find_search_words(name)) as word;

create trigger places_words after insert on places for each row execute function write_collection_words('l');

-- Contains only words of names: an index of all words is too large to scan at every key press.
create index search_words_names on search_words (user_id, word) include (collection_id, field) where collection_id is not null;

-- Used to list the distinct cameras of a user with a loose index scan: one index lookup per camera.
create function camera_key(make text, model text) returns text language sql immutable parallel safe return
  left(coalesce(make, '') || ' ' || coalesce(model, ''), 255);

create index media_items_cameras on media_items (user_id, camera_key(camera_make, camera_model) collate "C")
  where visibility = 'visible' and (camera_make is not null or camera_model is not null);
