-- What a user name looks like, by which it is unique (db/usernameKey.ts). Null for an account that was made by an older version, until the
-- next start gives it its key, and for good where another account of before looks the same: that one is found by its exact name.
alter table users add column username_key text;
create unique index users_username_key on users (username_key) where removing_at is null;

-- By what a user tells the own sessions apart: of the sign-in and then of the last refresh.
alter table sessions
  add column device text,
  add column network text;

-- An account, or the administrator, beside a network from which it signed in lately: a hash, as in login_attempts.
create table known_networks (
  subject bytea primary key,
  at      timestamptz not null
);

create index known_networks_at on known_networks (at);
