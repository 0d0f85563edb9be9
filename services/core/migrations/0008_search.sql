-- Search: an inverted index. search_words holds each distinct word of a library, search_postings the items with the
-- word, newest first. Names of people, things and albums point to their collections, whose items have the same order,
-- so that renaming one changes only a few rows. See docs/docs/decisions/search.md.

-- Normalizes text for comparison: no accents, lower case, ligatures and full-width letters replaced by plain ones.
create function fold_search_text(content text) returns text language sql immutable strict parallel safe return
  case when content ~ '[^\u0001-\u007f]' then
    -- ASCII separately: lower('I') is not 'i' in a Turkish locale.
    lower(translate(replace(replace(replace(replace(
      translate(regexp_replace(normalize(content, nfkd), '[\u0300-\u036f\ufe00-\ufe0f]', '', 'g'), 'ØøŁłĐđÐðĦħıŦŧ’', 'OoLlDdDdHhiTt'''),
      'ß', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'œ', 'oe'),
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'))
  else lower(content collate "C") end;

-- Returns the normalized words of a text, including repeated ones. Chinese and Japanese characters are one word each,
-- because these scripts have no spaces.
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

-- Returns the words that find a text: its own words, and the parts of camera file names: dsc01234 adds dsc, 01234 and
-- 1234.
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

-- Returns the words that find text recognized by OCR: its own words, and corrections of frequent errors. OCR often
-- loses or adds spaces, so each pair of neighbouring words is also indexed as one word. It reads ß as B.
create function find_read_words(content text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  -- Limits the words of a full page: nearly every joined word adds a row to search_words.
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

-- Returns the edits of a word for typo tolerance (symmetric delete algorithm, SymSpell): hashes of its first letters
-- with up to two of them deleted. Words that differ by at most that many letters share an edit. Words with digits have
-- none, because numbers that differ by one digit are different numbers.
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
  'Derived: a word in a user''s items or in the name of a collection. Concurrent transactions may insert the same new word twice. A unique '
  'index would prevent that but make one writer wait for the other, so readers use all rows of a word instead.';
comment on column search_words.id is 'Id of the word in search_postings.';
comment on column search_words.user_id is 'Owner of the library.';
comment on column search_words.word is 'Word in lower case and without accents, see fold_search_text.';
comment on column search_words.field is
  'Field of the word: filename (f), description (d), camera (c), place (p), text in the picture (t), or the name of an album (a), a thing '
  '(o) or a person who is not hidden (i).';
comment on column search_words.collection_id is 'Collection whose name contains the word; null for words of items.';
comment on column search_words.edits is 'Hashes of the word with letters deleted, see find_search_edits.';

create index search_words_word on search_words (user_id, word, field);
create index search_words_collection_id on search_words (collection_id) where collection_id is not null;
create index search_words_edits on search_words using gin (edits) with (fastupdate = off);

create table search_postings (
  word_id       bigint not null,
  local_time    timestamp not null,
  media_item_id uuid not null,
  primary key (word_id, local_time, media_item_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
comment on table search_postings is 'Derived: a visible item that contains a word. Written only by triggers.';
comment on column search_postings.word_id is 'Word contained in the item.';
comment on column search_postings.local_time is 'Copy of the item''s local_time, the sort order of postings.';
comment on column search_postings.media_item_id is 'Item that contains the word.';

create table media_item_words (
  media_item_id uuid primary key references media_items on delete cascade,
  local_time    timestamp not null,
  is_listed     boolean not null,
  word_ids      bigint[] not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, fillfactor = 85);
comment on table media_item_words is 'Derived: the words of an item, and the values in its postings.';
comment on column media_item_words.media_item_id is 'Item that contains the words.';
comment on column media_item_words.local_time is 'Value of local_time in the postings.';
comment on column media_item_words.is_listed is 'True if the item has postings; only visible items do.';
comment on column media_item_words.word_ids is 'Ids of the words in search_words.';

create table media_item_texts (
  media_item_id uuid primary key references media_items on delete cascade,
  content       text not null check (content <> ''),
  lines         jsonb not null
);
comment on table media_item_texts is 'Derived: text in a picture, recognized by the component OCR. Not visible to visitors of a shared album.';
comment on column media_item_texts.media_item_id is 'Item that shows the text.';
comment on column media_item_texts.content is 'Recognized lines of text, separated by newlines, at most 10,000 characters.';
comment on column media_item_texts.lines is
  'Lines in the format of the API: text, confidence from 0 to 1, and four corners in fractions of the upright picture. One JSON value, '
  'because single lines are never queried.';

-- Returns true if a text has at least six digits, such as a date, a time or an identifier in a file name from an app.
-- As words, these numbers would add many rows to search_words, each with one item. media_items_filename finds them as
-- prefixes of the file name instead.
create function has_long_number(content text) returns boolean language sql immutable strict parallel safe return
  content ~ '[0-9](.*[0-9]){5}';

create index media_items_filename on media_items (user_id, left(fold_search_text(filename), 100) collate "C")
  where visibility = 'visible' and has_long_number(filename);

-- Updates the words and postings of items. The caller must hold the locks of the items. Processes one item at a time:
-- the lookups by key use the same plan for one photo and for an import of a million.
create function write_search_words(ids uuid[]) returns void language plpgsql
-- PostgreSQL keeps a plan made while a table was empty, which would be a sequential scan.
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
