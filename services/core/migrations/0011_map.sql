-- Counts of visible items per map cell, maintained as described in [Note: Kept counts].
--
-- [Note: Map cells] The map is a quadtree of square cells. Level 0 is one cell of 360 x 360 degrees, half of it unused.
-- Each level halves both sides; level 22, the finest, has cells of about 10 m at the equator. A cell number is a Morton
-- code: the bits of column x and row y, interleaved. Shifting it right by two bits gives the parent cell. All cells
-- within a parent are one contiguous range, so an index range scan reads them.

-- Returns the cell of a position, in degrees, at level 22. x and y are its column and row, of 4194304 = 2^22 each;
-- latitudes use only the lower half of the rows. The shifts spread the bits of x and y to the even positions. Uses
-- integers and powers of two only, so every machine computes the same cell.
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

-- Finds the item whose thumbnail represents a cell.
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
  'Derived: count and position sums of the visible items in a map cell. Sums are integers in units of 1e-7 degrees (about 1 cm), so that '
  'subtracting an item leaves no rounding error.';
comment on column map_cells.user_id is 'Owner of the items.';
comment on column map_cells.level is 'Level of the cell, up to 22 (finest).';
comment on column map_cells.cell is 'Cell number at this level.';
comment on column map_cells.n is 'Number of items, without the pending changes in map_deltas.';
comment on column map_cells.latitude_e7 is 'Sum of the latitudes, in 1e-7 degrees.';
comment on column map_cells.longitude_e7 is 'Sum of the longitudes, in 1e-7 degrees.';

create table map_deltas (
  id           bigint generated always as identity primary key,
  user_id      uuid not null,
  cell         bigint not null,
  n            integer not null,
  latitude_e7  bigint not null,
  longitude_e7 bigint not null
) with (autovacuum_vacuum_scale_factor = 0.1);
comment on table map_deltas is 'Derived: pending changes, which the housekeeper adds to map_cells.';
comment on column map_deltas.id is 'Number of the row, in insertion order.';
comment on column map_deltas.user_id is 'Owner of the changed item.';
comment on column map_deltas.cell is 'Cell number at the finest level.';
comment on column map_deltas.n is 'Number of items added: 1, or -1 for a removed item.';
comment on column map_deltas.latitude_e7 is 'Latitude in 1e-7 degrees, negated for a removed item.';
comment on column map_deltas.longitude_e7 is 'Longitude in 1e-7 degrees, negated for a removed item.';

create index map_deltas_user_id on map_deltas (user_id, cell);

-- Row-level triggers with WHEN conditions: most updates of an item do not change its position, and they must cost
-- nothing.
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
