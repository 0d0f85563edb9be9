-- An original that no item names, as the orphan sweep has seen it: what was uploaded after the backup that the database has been restored from,
-- for instance. Without foreign keys, since its user may be as unknown here as its item.
create table orphans (
  user_id       uuid not null, -- whose it was, by its key
  media_item_id uuid not null,
  size_bytes    bigint not null,
  first_seen_at timestamptz not null default now(), -- since when it has been one, without a break
  last_seen_at  timestamptz not null default now(),
  primary key (user_id, media_item_id)
);

-- An account that was removed on purpose: what is still found of it later need not be kept for anybody.
create table removed_users (
  user_id    uuid primary key,
  removed_at timestamptz not null default now()
);
