-- An account. A row with removing_at is being removed: its sessions are gone, its objects and rows follow.
create table users (
  id            uuid primary key,
  name          text not null,
  username      text not null,
  password_hash text not null,
  features      jsonb not null default '{}',
  removing_at   timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);

-- Case does not tell two accounts apart; a name is free again as soon as its account is being removed.
create unique index users_username on users (lower(username)) where removing_at is null;

-- A login. Access tokens name their session, so that ending it refuses them at once on every replica.
create table sessions (
  id                 uuid primary key,
  user_id            uuid not null references users on delete cascade,
  refresh_token_hash bytea not null,
  created_at         timestamptz not null default now(),
  expires_at         timestamptz not null
);

create index sessions_user_id on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);
