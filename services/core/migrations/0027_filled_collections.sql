-- How many visible items each collection of a user has, narrow and in one place, so that places, things and people without any are left out
-- of their lists, and the others counted, without a look at each one's items. Written by the housekeeper alone as it folds deltas; without a
-- foreign key, since whoever holds a collection's row would have to be waited for.
create table collection_totals (
  user_id       uuid not null,
  kind          text not null,
  collection_id uuid not null,
  n             integer not null,
  -- By themselves, so that a count that changes, as most do, leaves the index below alone.
  is_filled     boolean not null generated always as (n > 0) stored,
  sort_name     text, -- of a place or thing, without regard to case: those keep their names
  primary key (user_id, kind, collection_id)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);

create function name_collection_total() returns trigger language plpgsql as $$
begin
  if new.kind = 'place' then
    new.sort_name := (select lower(name) from places where id = new.collection_id);
  elsif new.kind = 'thing' then
    new.sort_name := (select lower(name) from things where id = new.collection_id);
  end if;
  return new;
end $$;

create trigger collection_totals_name before insert on collection_totals for each row execute function name_collection_total();

insert into collection_totals (user_id, kind, collection_id, n)
select user_id, kind, id, n from collection_counts join collections on id = collection_id where grain = 'all';

create index collection_totals_by_name on collection_totals (user_id, kind, sort_name, collection_id) where is_filled;

drop function list_people(uuid, boolean, bigint, bigint);
