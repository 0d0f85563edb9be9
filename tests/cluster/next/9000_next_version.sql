create table next_version (begun_at timestamptz not null default now());
comment on table next_version is 'Truth: created by a version that exists only in tests.';
insert into next_version default values;
