-- What the columns are for is said in [Note: Refresh tokens]. A session of before has none of them and cannot be refreshed:
-- its user signs in again.
alter table sessions
  add column family_hash bytea unique,
  add column previous_token_hash bytea,
  add column successor_salt bytea,
  add column refreshed_at timestamptz;

-- An attempt to sign in as it counts against one subject: the account that was named, or the network it came from. An
-- attempt is one row for each of its subjects. Only those of the last minute matter; housekeeping removes the others.
create table login_attempts (
  id         uuid not null,
  subject    bytea not null, -- a hash: people type passwords where a user name belongs
  is_pending boolean not null, -- its password is still being checked; else it has failed
  at         timestamptz not null, -- when it began, and then when it failed
  primary key (id, subject)
);

create index login_attempts_subject on login_attempts (subject, at);
create index login_attempts_at on login_attempts (at);
