-- An item that there will never be: objects of it were found without a row and are being removed. Noted before they go, so that an
-- upload that was held up between its object and its row, in a process that was frozen for a day, writes no row without bytes.
create table abandoned_items (
  media_item_id uuid primary key,
  abandoned_at  timestamptz not null default now()
);
