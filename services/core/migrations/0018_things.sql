-- What is seen on items. Things are collections, as places are.
alter table collections drop constraint collections_kind_check;
alter table collections add constraint collections_kind_check check (kind in ('album', 'place', 'thing'));

create table things (
  id         uuid primary key references collections on delete cascade deferrable initially deferred,
  user_id    uuid not null references users on delete cascade,
  name       text not null check (name <> ''), -- an everyday English noun
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, name)
);

create index things_by_name on things (user_id, lower(name), id);

create trigger things_collection after insert on things for each row execute function make_collection('thing');
