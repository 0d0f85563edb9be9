-- Search by text. Every distinct word of a library stands once in search_words; the items that have it, newest first,
-- in search_postings. Names of people, things and albums lead to their collections instead, whose items stand in the
-- same order: to rename one changes its own few rows, however many items it has. See
-- docs/docs/decisions/search.md.

-- Letters as they are compared: no accents, no case, ligatures and wide forms as the letters that they stand for.
create function fold_search_text(content text) returns text language sql immutable strict parallel safe return
  case when content ~ '[^\u0001-\u007f]' then
    -- ASCII first: in Turkish the small form of I is no i.
    lower(translate(replace(replace(replace(replace(
      translate(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'), 'ØøŁłĐđÐðĦħıŦŧ’', 'OoLlDdDdHhiTt'''),
      'ß', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'œ', 'oe'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'))
  else lower(content collate "C") end;

-- The words of a text, folded, as often as they occur. Chinese and Japanese, which have no spaces, are taken sign by
-- sign.
create function split_search_words(content text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  folded text := regexp_replace(fold_search_text(content), '''s(?![a-z0-9])', '', 'g');
begin
  if folded ~ '[^\u0001-\u007f]' then
    folded := regexp_replace(folded,
      '([\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g');
    folded := regexp_replace(folded,
      '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u2bff\u2e00-\u2e7f\u3000-\u303f\ufe30-\ufe6f\uff00-\uff0f\ufff0-\uffff]+',
      ' ', 'g');
  else
    folded := regexp_replace(folded, '[^a-z0-9]+', ' ', 'g');
  end if;
  folded := trim(both ' ' from folded);
  return case when folded = '' then '{}' else regexp_split_to_array(folded, ' +') end;
end $$;

-- The words by which a text is found: its own; of names that cameras give, such as dsc01234, also dsc, 01234 and 1234.
create function find_search_words(content text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  word text;
  digits text;
  words text[] := '{}';
begin
  foreach word in array split_search_words(content) loop
    words := words || left(word, 40);
    digits := substring(word from '^[a-z]*([0-9]{2,})$');
    if digits <> word then words := words || left(word, length(word) - length(digits)) || left(digits, 40); end if;
    if digits like '0%' and digits ~ '[1-9]' then words := words || left(ltrim(digits, '0'), 40); end if;
  end loop;
  return words;
end $$;

-- The words by which text in a picture is found: its own, and how they were before they were read. What reads them
-- loses many spaces, and finds some that are none: so two words beside each other are found as one, too. It takes ß,
-- which it does not know, for B.
create function find_read_words(content text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  -- Of a whole page only the beginning: joined words are new to the dictionary, nearly all of them.
  most_joined constant integer := 100;
  line text;
  parts text[];
  joined text[] := '{}';
begin
  foreach line in array regexp_split_to_array(content, '\n') loop
    parts := split_search_words(line);
    for i in 2..cardinality(parts) loop
      exit when cardinality(joined) >= most_joined;
      if length(parts[i - 1]) > 1 and length(parts[i]) > 1 then joined := joined || left(parts[i - 1] || parts[i], 40); end if;
    end loop;
  end loop;
  return find_search_words(content) || joined || case when content ~ '[[:lower:]]{2}B' then
    find_search_words(regexp_replace(content, '(?<=[[:lower:]]{2})B', 'ß', 'g')) else '{}' end;
end $$;

-- The edits of a word: hashes of what is left of its beginning when up to two letters are deleted. Two words that
-- differ by so few letters share an edit. Words with digits have no edits: numbers that differ by a digit are different
-- numbers.
-- https://wolfgarbe.medium.com/1000x-faster-spelling-correction-algorithm-2012-8701fcd87a5f
create function find_search_edits(owner uuid, word text) returns bigint[] language plpgsql immutable strict parallel safe as $$
declare
  seed constant bigint := uuid_hash_extended(owner, 0);
  beginning constant text := left(word, 7);
  once text;
  edits bigint[] := array[hashtextextended(beginning collate "C", seed)];
begin
  if length(word) < 3 or length(word) > 24 or word ~ '[0-9]' then return '{}'; end if;
  for i in 1..length(beginning) loop
    once := left(beginning, i - 1) || substr(beginning, i + 1);
    edits := edits || hashtextextended(once collate "C", seed);
    continue when length(word) < 6;
    for j in i..length(once) loop
      edits := edits || hashtextextended((left(once, j - 1) || substr(once, j + 1)) collate "C", seed);
    end loop;
  end loop;
  return array(select distinct edit from unnest(edits) as edit);
end $$;

create table search_words (
  id            bigint generated always as identity primary key,
  user_id       uuid not null references users on delete cascade,
  word          text collate "C" not null,
  field         text collate "C" not null check (field in ('f', 'd', 'c', 'p', 't', 'a', 'o', 'i')),
  collection_id uuid references collections on delete cascade,
  edits         bigint[] not null,
  check ((field in ('a', 'o', 'i')) = (collection_id is not null))
);
comment on table search_words is
  'Derived: a word of a user''s items, or of the name of a collection. Two transactions that meet a new word at once may each make a row of '
  'it: no unique index forbids that, since one writer would then wait for the other, and readers take all rows of a word.';
comment on column search_words.id is 'Names the word in search_postings.';
comment on column search_words.user_id is 'The user in whose library the word stands.';
comment on column search_words.word is 'The word in lower case and without accents, see fold_search_text.';
comment on column search_words.field is
  'Where the word stands: filename, description, camera, place, or text in the picture; or the name of an album, a thing (object), or a person '
  '(individual) that is not hidden.';
comment on column search_words.collection_id is 'The collection whose name the word is part of.';
comment on column search_words.edits is 'Hashes of the word without some of its letters, see find_search_edits.';

create index search_words_word on search_words (user_id, word, field);
create index search_words_collection_id on search_words (collection_id) where collection_id is not null;
create index search_words_edits on search_words using gin (edits) with (fastupdate = off);

create table search_postings (
  word_id       bigint not null,
  local_time    timestamp not null,
  media_item_id uuid not null,
  primary key (word_id, local_time, media_item_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table search_postings is 'Derived: an item in which a word stands, a visible one only. Kept by triggers, never by hand.';
comment on column search_postings.word_id is 'The word that stands in the item.';
comment on column search_postings.local_time is 'The local time of the item, by which postings are sorted.';
comment on column search_postings.media_item_id is 'The item in which the word stands.';

create table media_item_words (
  media_item_id uuid primary key references media_items on delete cascade,
  local_time    timestamp not null,
  is_listed     boolean not null,
  word_ids      bigint[] not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, fillfactor = 85);
comment on table media_item_words is 'Derived: the words of an item, and the values from which its postings were written.';
comment on column media_item_words.media_item_id is 'The item whose words these are.';
comment on column media_item_words.local_time is 'The local time in the postings of the item.';
comment on column media_item_words.is_listed is 'Whether the item has postings, which only a visible item has.';
comment on column media_item_words.word_ids is 'The ids of the item''s words in search_words.';

create table media_item_texts (
  media_item_id uuid primary key references media_items on delete cascade,
  content       text not null check (content <> ''),
  lines         jsonb not null
);
comment on table media_item_texts is 'Derived: text in a picture, by the component OCR. Visitors of a shared album are not told it.';
comment on column media_item_texts.media_item_id is 'The item whose picture shows the text.';
comment on column media_item_texts.content is 'The text that was read, its lines one below the other, at most 10,000 characters.';
comment on column media_item_texts.lines is
  'The lines as clients see them: text, confidence from 0 to 1, and the four corners in fractions of the upright picture. One value, since '
  'nobody asks for one line of a picture.';

-- Whether a text has six digits or more: dates, times and identifiers, by which apps name their files. As words of file
-- names such numbers would fill the dictionary, each with one item. They are found as the beginning of the file name,
-- by media_items_filename.
create function has_long_number(content text) returns boolean language sql immutable strict parallel safe return
  content ~ '[0-9](.*[0-9]){5}';

create index media_items_filename on media_items (user_id, left(fold_search_text(filename), 100) collate "C")
  where visibility = 'visible' and has_long_number(filename);

-- Writes the words of items anew. Whoever calls it has locked the items. One item after another: each statement then
-- finds a few rows by their keys, and has one plan that is right for an import of a million and for a single photo.
create function write_search_words(ids uuid[]) returns void language plpgsql
-- A plan that was made while a table was empty is kept.
set enable_seqscan = off as $$
declare
  item record;
  old media_item_words;
  fields text[];
  words text[];
  known_ids bigint[];
  made_ids bigint[];
  new_ids bigint[];
begin
  for item in
    select id, user_id, local_time, visibility = 'visible' as is_listed, filename, description,
      concat_ws(' ', camera_make, camera_model) as camera,
      (select concat_ws(' ', town, city, state, country) from media_item_places join places on places.id = place_id
        where media_item_id = media_items.id) as place,
      (select content from media_item_texts where media_item_id = media_items.id) as content
    from media_items where id = any(ids) order by id
  loop
    select array_agg(found.field), array_agg(found.word) into fields, words from (
      select distinct texts.field, word
      from (values ('f', item.filename), ('d', item.description), ('c', item.camera), ('p', item.place), ('t', item.content))
        as texts (field, content)
      cross join lateral unnest(
        case texts.field when 't' then find_read_words(texts.content) else find_search_words(texts.content) end
      ) as word
      where texts.field <> 'f' or not has_long_number(word)
    ) as found;

    select array_agg(id) into known_ids from (
      select (
        select kept.id from search_words as kept
        where kept.user_id = item.user_id and kept.word = found.word and kept.field = found.field limit 1
      ) as id
      from unnest(fields, words) as found (field, word)
    ) as of_item;
    new_ids := coalesce(array_remove(known_ids, null), '{}');
    if cardinality(new_ids) < cardinality(known_ids) then
      with made as (
        insert into search_words (user_id, field, word, edits)
        select item.user_id, field, word, find_search_edits(item.user_id, word)
        from unnest(fields, words, known_ids) as found (field, word, id) where id is null
        returning id
      ) select array_agg(id) into made_ids from made;
      new_ids := new_ids || made_ids;
    end if;

    select * into old from media_item_words where media_item_id = item.id;
    if old.is_listed then
      delete from search_postings
      where word_id = any(old.word_ids) and local_time = old.local_time and media_item_id = item.id
        and not (item.is_listed and local_time = item.local_time and word_id = any(new_ids));
    end if;
    if item.is_listed then
      insert into search_postings (word_id, local_time, media_item_id)
      select word_id, item.local_time, item.id from unnest(new_ids) as word_id
      where (old.is_listed and old.local_time = item.local_time and word_id = any(old.word_ids)) is not true;
    end if;
    insert into media_item_words (media_item_id, local_time, is_listed, word_ids)
    values (item.id, item.local_time, item.is_listed, new_ids)
    on conflict (media_item_id) do update
    set local_time = excluded.local_time, is_listed = excluded.is_listed, word_ids = excluded.word_ids;
  end loop;
end $$;
