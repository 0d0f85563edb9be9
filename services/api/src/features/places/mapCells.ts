/** A region in degrees. If west > east, it crosses the 180th meridian. */
export interface MapBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Level of the smallest cells, as in `0011_map.sql`: 2^22 columns around the world, 10 m each at the equator. */
export const finestLevel = 22;

/** Coarsest stored level, and the step between stored levels. */
const coarsestLevel = 2;
const levelStep = 2;

export const mapLevels: readonly number[] = Array.from(
  { length: (finestLevel - coarsestLevel) / levelStep + 1 },
  (_, index) => coarsestLevel + index * levelStep,
);

/** Cells with at least this many items have a stored count. Smaller ones are counted on read, which is as fast. */
export const minStoredItems = 5;

/**
 * Cell levels added to a zoom level. The world is 256 pixels wide at zoom 0, so cells are 64 to 128 pixels wide.
 */
const levelsBelowZoom = 2;

/**
 * Lists the cells that intersect a region, at the level for a map's zoom. If there are more than `maxCells`, uses the
 * next coarser level that fits.
 */
export const listCells = (
  bounds: MapBounds,
  zoom: number,
  maxCells: number,
): { readonly level: number; readonly cells: readonly number[] } => {
  const wanted = Math.min(finestLevel, zoom + levelsBelowZoom);
  for (let level = wanted - (wanted % levelStep); ; level -= levelStep) {
    const [columns, rows] = [toColumns(bounds, level), toRows(bounds, level)];
    if (columns.count * rows.count > maxCells && level > coarsestLevel) continue;
    const cells = Array.from({ length: rows.count }, (_, row) =>
      Array.from({ length: columns.count }, (__, column) =>
        interleave((columns.first + column) % 2 ** level, rows.first + row),
      ),
    );
    return { level, cells: cells.flat() };
  }
};

export const getCellBounds = (level: number, cell: number): MapBounds => {
  const degrees = 360 / 2 ** level;
  const [column, row] = [extractEvenBits(cell), extractEvenBits(Math.floor(cell / 2))];
  const [west, south] = [column * degrees - 180, row * degrees - 90];
  return { west, south, east: west + degrees, north: south + degrees };
};

const toColumns = ({ west, east }: MapBounds, level: number): { first: number; count: number } => {
  const [first, last] = [toIndex(west + 180, level, 2 ** level), toIndex(east + 180, level, 2 ** level)];
  if (west <= east) return { first, count: last - first + 1 };
  // Crosses the 180th meridian. Counts every column at most once.
  return { first, count: Math.min(2 ** level, 2 ** level - first + last + 1) };
};

const toRows = ({ south, north }: MapBounds, level: number): { first: number; count: number } => {
  const [first, last] = [toIndex(south + 90, level, 2 ** (level - 1)), toIndex(north + 90, level, 2 ** (level - 1))];
  return { first, count: last - first + 1 };
};

/** Like the SQL function `map_cell`: a position on the far edge of the world is in the last column or row. */
const toIndex = (degrees: number, level: number, count: number): number =>
  Math.min(count - 1, Math.floor((degrees / 360) * 2 ** level));

/** Returns the Morton code. Does not use `<<` and `|`, which are limited to 32 bits. */
const interleave = (column: number, row: number): number => spread(column) + 2 * spread(row);

const spread = (index: number): number => {
  let spreadOut = 0;
  for (let bit = 0; bit < finestLevel; bit++) spreadOut += ((index >>> bit) & 1) * 4 ** bit;
  return spreadOut;
};

const extractEvenBits = (cell: number): number => {
  let index = 0;
  for (let bit = 0; bit < finestLevel; bit++) index += (Math.floor(cell / 4 ** bit) % 2) * 2 ** bit;
  return index;
};
