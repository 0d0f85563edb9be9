/** A part of the world in degrees; one whose west is more than its east lies across the 180th meridian. */
export interface MapBounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The level of the smallest cells, as `0011_map.sql` has them: 2^22 columns around the world, 10 m each at the equator. */
export const finestLevel = 22;

/** The coarsest level that is kept, and the step from one kept level to the next. */
const coarsestLevel = 2;
const levelStep = 2;

export const mapLevels: readonly number[] = Array.from(
  { length: (finestLevel - coarsestLevel) / levelStep + 1 },
  (_, index) => coarsestLevel + index * levelStep,
);

/** A cell of at least so many items has a kept count. The items of smaller cells are counted when a map is read, which is as quick. */
export const minKeptItems = 5;

/** Levels by which a cell is smaller than the picture of the whole world, of 256 pixels at zoom 0: cells of 64 to 128 pixels. */
const levelsBelowZoom = 2;

/**
 * The numbers of the cells that a part of the world touches, at the level for this zoom of a map. Where these are more than `maxCells`: at the finest coarser level
 * at which they are not.
 */
export const listCells = (
  bounds: MapBounds,
  zoom: number,
  maxCells: number,
): { readonly level: number; readonly cells: readonly number[] } => {
  const wanted = Math.min(finestLevel, zoom + levelsBelowZoom);
  for (let level = wanted - (wanted % levelStep); ; level -= levelStep) {
    const [columns, rows] = [columnsOf(bounds, level), rowsOf(bounds, level)];
    if (columns.count * rows.count > maxCells && level > coarsestLevel) continue;
    const cells = Array.from({ length: rows.count }, (_, row) =>
      Array.from({ length: columns.count }, (__, column) =>
        interleave((columns.first + column) % 2 ** level, rows.first + row),
      ),
    );
    return { level, cells: cells.flat() };
  }
};

export const boundsOfCell = (level: number, cell: number): MapBounds => {
  const degrees = 360 / 2 ** level;
  const [column, row] = [everySecondBit(cell), everySecondBit(Math.floor(cell / 2))];
  const [west, south] = [column * degrees - 180, row * degrees - 90];
  return { west, south, east: west + degrees, north: south + degrees };
};

const columnsOf = ({ west, east }: MapBounds, level: number): { first: number; count: number } => {
  const [first, last] = [indexOf(west + 180, level, 2 ** level), indexOf(east + 180, level, 2 ** level)];
  if (west <= east) return { first, count: last - first + 1 };
  // Once around, and no column twice.
  return { first, count: Math.min(2 ** level, 2 ** level - first + last + 1) };
};

const rowsOf = ({ south, north }: MapBounds, level: number): { first: number; count: number } => {
  const [first, last] = [indexOf(south + 90, level, 2 ** (level - 1)), indexOf(north + 90, level, 2 ** (level - 1))];
  return { first, count: last - first + 1 };
};

/** As `map_cell` does it: a position on the far edge of the world is in the last column or row. */
const indexOf = (degrees: number, level: number, count: number): number =>
  Math.min(count - 1, Math.floor((degrees / 360) * 2 ** level));

/** Interleaves the bits of a column and a row. Not by `<<` and `|`, which have 32 bits. */
const interleave = (column: number, row: number): number => spread(column) + 2 * spread(row);

const spread = (index: number): number => {
  let spreadOut = 0;
  for (let bit = 0; bit < finestLevel; bit++) spreadOut += ((index >>> bit) & 1) * 4 ** bit;
  return spreadOut;
};

const everySecondBit = (cell: number): number => {
  let index = 0;
  for (let bit = 0; bit < finestLevel; bit++) index += (Math.floor(cell / 4 ** bit) % 2) * 2 ** bit;
  return index;
};
