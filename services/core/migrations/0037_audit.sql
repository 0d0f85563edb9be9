-- What has happened around signing in, accounts and shares, for the administrator; kept for 90 days. Without foreign keys: it tells of accounts
-- that are gone. It holds no name that was typed, no token and no id of a share.
create table audit_log (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  action     text not null,
  actor      text not null,
  user_id    uuid,
  subject    text,
  address    text,
  request_id text
);

create index audit_log_at on audit_log (at);
