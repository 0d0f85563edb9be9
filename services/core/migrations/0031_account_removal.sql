-- An account is removed in batches: a million items in one statement take longer than any time-out. What triggers keep of each item, counts,
-- events and memberships, is of no use for an account of which nothing stays: it is removed as a whole, and not reckoned down item by item.

-- Whether this transaction removes rows of an account that goes as a whole.
create function is_removing_account() returns boolean language sql stable
return coalesce(current_setting('hearth.is_removing_account', true), '') = 'on';

create or replace trigger media_items_counts_delete after delete on media_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function append_count_deltas_of_delete();
create or replace trigger media_items_events_delete after delete on media_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function append_events_of_delete();
create or replace trigger media_items_map_delete after delete on media_items for each row
  when (old.latitude is not null and not is_removing_account()) execute function append_map_deltas();
create or replace trigger collection_items_counts_delete after delete on collection_items
  referencing old table as old_rows for each statement
  when (not is_removing_account()) execute function append_collection_deltas_of_delete();
create or replace trigger media_item_places_collection after insert or delete on media_item_places
  for each row when (not is_removing_account()) execute function put_item_into_place();
create or replace trigger media_item_places_words_delete after delete on media_item_places
  referencing old table as changed_rows for each statement
  when (not is_removing_account()) execute function write_search_words_of_parts();
create or replace trigger media_item_texts_words_delete after delete on media_item_texts
  referencing old table as changed_rows for each statement
  when (not is_removing_account()) execute function write_search_words_of_parts();

-- Without it PostgreSQL reads every upload of everybody for each user that is deleted: the other index has unfinished ones only.
create index uploads_user_id on uploads (user_id);
