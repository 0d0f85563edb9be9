create table next_version (begun_at timestamptz not null default now());
comment on table next_version is 'Truth: made by a version that there is only in tests.';
insert into next_version default values;
