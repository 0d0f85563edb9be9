-- The map: how many visible items were taken where, in cells that are kept as [Note: Kept counts] has it.
--
-- A cell of level 0 is the world, 360 degrees wide and, half of it empty, 360 high; each level halves both. The finest,
-- 22, has cells of 10 m at the equator. The number of a cell is made of the bits of its column and its row in turns (a
-- Morton code), so that a cell of a coarser level is the number without its last bits, and what lies in it lies in one
-- range.

-- Of whole numbers and sums of powers of two, so that the same position is the same cell on every machine.
create function map_cell(latitude double precision, longitude double precision) returns bigint
language plpgsql immutable parallel safe as $$
declare
  x bigint := greatest(0, least(4194303, floor((longitude + 180) / 360 * 4194304)));
  y bigint := greatest(0, least(2097151, floor((latitude + 90) / 360 * 4194304)));
begin
  x := (x | (x << 16)) & 281470681808895;
  x := (x | (x << 8)) & 71777214294589695;
  x := (x | (x << 4)) & 1085102592571150095;
  x := (x | (x << 2)) & 3689348814741910323;
  x := (x | (x << 1)) & 6148914691236517205;
  y := (y | (y << 16)) & 281470681808895;
  y := (y | (y << 8)) & 71777214294589695;
  y := (y | (y << 4)) & 1085102592571150095;
  y := (y | (y << 2)) & 3689348814741910323;
  y := (y | (y << 1)) & 6148914691236517205;
  return x | (y << 1);
end $$;

-- Finds an item that is shown for a cell.
create index media_items_map on media_items (user_id, map_cell(latitude, longitude), id)
  where visibility = 'visible' and latitude is not null and longitude is not null;

create table map_cells (
  user_id      uuid not null references users on delete cascade,
  level        smallint not null,
  cell         bigint not null,
  n            integer not null,
  latitude_e7  bigint not null,
  longitude_e7 bigint not null,
  primary key (user_id, level, cell)
) with (autovacuum_vacuum_scale_factor = 0.05, fillfactor = 70);
comment on table map_cells is
  'Derived: the visible items that were taken in a cell of the map. Positions are summed in ten-millionths of a degree, 1 cm: whole numbers '
  'add up and away again without a rest.';
comment on column map_cells.user_id is 'The user whose items are counted.';
comment on column map_cells.level is 'How fine the cell is.';
comment on column map_cells.cell is 'The number of the cell on its level.';
comment on column map_cells.n is 'How many items, but for what map_deltas has.';
comment on column map_cells.latitude_e7 is 'The sum of the latitudes of these items.';
comment on column map_cells.longitude_e7 is 'The sum of the longitudes of these items.';

create table map_deltas (
  id           bigint generated always as identity primary key,
  user_id      uuid not null,
  cell         bigint not null,
  n            integer not null,
  latitude_e7  bigint not null,
  longitude_e7 bigint not null
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table map_deltas is 'Derived: what has changed since; the housekeeper rolls it up into map_cells.';
comment on column map_deltas.id is 'The order in which rows came.';
comment on column map_deltas.user_id is 'The user whose items have come or gone.';
comment on column map_deltas.cell is 'The cell of the finest level.';
comment on column map_deltas.n is 'How many items have come, or with a minus, have gone.';
comment on column map_deltas.latitude_e7 is 'The sum of the latitudes of these items.';
comment on column map_deltas.longitude_e7 is 'The sum of the longitudes of these items.';

create index map_deltas_user_id on map_deltas (user_id, cell);

-- Of rows, with conditions: most items are written several times before they have a position and never after, and that
-- must cost nothing.
create function append_map_deltas() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.visibility = 'visible' and old.latitude is not null and old.longitude is not null then
    insert into map_deltas (user_id, cell, n, latitude_e7, longitude_e7)
    values (old.user_id, map_cell(old.latitude, old.longitude), -1, -round(old.latitude * 1e7), -round(old.longitude * 1e7));
  end if;
  if tg_op <> 'DELETE' and new.visibility = 'visible' and new.latitude is not null and new.longitude is not null then
    insert into map_deltas (user_id, cell, n, latitude_e7, longitude_e7)
    values (new.user_id, map_cell(new.latitude, new.longitude), 1, round(new.latitude * 1e7), round(new.longitude * 1e7));
  end if;
  return null;
end $$;

create trigger media_items_map_insert after insert on media_items for each row
  when (new.latitude is not null) execute function append_map_deltas();
create trigger media_items_map_update after update on media_items for each row
  when ((old.latitude is not null or new.latitude is not null)
    and (old.user_id, old.visibility, old.latitude, old.longitude)
      is distinct from (new.user_id, new.visibility, new.latitude, new.longitude))
  execute function append_map_deltas();
create trigger media_items_map_delete after delete on media_items for each row
  when (old.latitude is not null and not is_removing_account()) execute function append_map_deltas();
