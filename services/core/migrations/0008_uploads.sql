-- A resumable upload (tus): a file that comes in over several requests, days, processes and replicas. What is received and kept
-- lies in two places: whole parts in the unfinished object of the original, and what came behind them in an object of its own, the tail.
-- The row stays after the upload is finished, until it expires, to tell a client whose answer was lost what became of it.
create table uploads (
  id             uuid primary key, -- where the file is stored in parts, also the id of the media item that it becomes
  user_id        uuid not null references users on delete cascade,
  metadata       text not null, -- Upload-Metadata, as the client sent it
  length_bytes   bigint not null,
  received_bytes bigint not null default 0,
  part_bytes     bigint not null, -- size of every part but the last one
  write_id       text, -- names the unfinished object, once there is one
  hash_state     bytea, -- SHA-256 of all parts so far, to be gone on with by any process
  tail_key       text,
  mime_type      text, -- what the first bytes have told
  type           text,
  checksum       bytea check (length(checksum) = 32), -- SHA-256 of the whole file, once all parts are stored
  media_item_id  uuid, -- what it has become; without a reference, since the item may be removed
  -- Who is at work on it: a request that goes on by its claim alone, and ends when its claim has passed to another. Whoever else wants to
  -- work on it asks for it, and takes it once it is given back or the time of a claim that nobody renews is over.
  claim_id       uuid,
  claimed_until  timestamptz,
  is_asked_for   boolean not null default false,
  created_at     timestamptz not null default now(),
  expires_at     timestamptz not null
);

create index uploads_unfinished on uploads (user_id) where media_item_id is null;
create index uploads_received on uploads (created_at) where media_item_id is null and received_bytes = length_bytes;
create index uploads_expires_at on uploads (expires_at);

-- A part that is stored and counts as received. Gone once the upload is finished.
create table upload_parts (
  upload_id uuid not null references uploads on delete cascade,
  number    integer not null, -- from 1
  tag       text not null, -- what the store has answered
  primary key (upload_id, number)
);
