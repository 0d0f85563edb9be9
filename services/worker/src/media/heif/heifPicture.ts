import type { FileHandle } from 'node:fs/promises';
import type { Rotation } from '../pictures/photoPreview.ts';
import { BoxSyntaxError, readFields, type Box } from '../formats/isoBoxes.ts';
import { readItems, type HeifItem, type HeifItems } from './heifItems.ts';

/** The primary picture of a HEIF file, if it consists of one or more HEVC tiles. */
export interface HeifPicture {
  /** Pixels of the stored picture, before it is rotated upright. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** Tiles of the grid, row by row. */
  readonly tiles: readonly HeifItem[];
  /** Tile size in pixels. Tiles of the last column and row may extend beyond the picture. */
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Configuration of the HEVC decoder, the same for all tiles. */
  readonly configuration: Buffer;
  readonly rotation: Rotation;
  readonly icc: Buffer | undefined;
  /** Colour coding, in the numbers of ITU-T H.273; undefined if only the code stream states it. */
  readonly coding: { readonly matrix: number; readonly isFullRange: boolean } | undefined;
  /** Contents of `idat`, which may hold tiles. */
  readonly data: Buffer;
}

/** Maximum size of a `meta` box. That of a 12-megapixel picture in 48 tiles has 4 kB. */
const maxMetaBytes = 4 * 1024 * 1024;

/** Maximum number of boxes before `meta`. */
const maxOuterBoxes = 16;

/** Finds the `meta` box of a file and parses it. @throws BoxSyntaxError */
export async function readHeifItems(file: FileHandle): Promise<HeifItems> {
  let at = 0;
  for (let seen = 0; seen < maxOuterBoxes; seen += 1) {
    const { buffer: head, bytesRead } = await file.read({ buffer: Buffer.alloc(16), position: at });
    if (bytesRead < 8) break;
    const short = head.readUInt32BE(0);
    const header = short === 1 ? 16 : 8;
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < header) break;
    if (head.toString('latin1', 4, 8) === 'meta') {
      if (length > maxMetaBytes) throw new BoxSyntaxError('meta box too long');
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length - header), position: at + header });
      if (bytesRead < buffer.length) throw new BoxSyntaxError('meta box truncated');
      return readItems(buffer);
    }
    at += length;
  }
  throw new BoxSyntaxError('no meta box');
}

/** Returns the size of the primary picture in the file's header, before rotation. @throws BoxSyntaxError */
export function readStatedSize({ items, primaryId }: HeifItems): { width: number; height: number } {
  return readSize(items.get(primaryId)?.properties ?? []);
}

/** Returns the colour profile of the primary picture. That of a grid may be stored with its first tile. */
export function readProfile({ items, primaryId, references }: HeifItems): Buffer | undefined {
  const first = references.find(({ type, from }) => type === 'dimg' && from === primaryId)?.to[0];
  const boxes = [primaryId, ...(first === undefined ? [] : [first])].flatMap((id) => items.get(id)?.properties ?? []);
  return boxes
    .find(({ type, body }) => type === 'colr' && /^(prof|rICC)/.test(body.toString('latin1', 0, 4)))
    ?.body.subarray(4);
}

/**
 * Returns the primary picture, if it can be decoded tile by tile. Undefined for rare kinds: overlays, other derived pictures, cropping,
 * transparency, other codecs, and tiles that differ in kind.
 * @throws BoxSyntaxError
 */
export function findTiledPicture(heif: HeifItems): HeifPicture | undefined {
  const primary = heif.items.get(heif.primaryId);
  if (primary === undefined || hasTransparency(heif)) return undefined;
  const grid = primary.type === 'grid' ? readGrid(heif, primary) : undefined;
  if (grid === undefined && primary.type !== 'hvc1') return undefined;
  const tiles = grid?.tiles ?? [primary];
  const [first] = tiles;
  const configuration = first && find(first, 'hvcC');
  const rotation = readRotation(primary.properties);
  if (first === undefined || configuration === undefined || rotation === undefined) return undefined;
  const hasSameFormat = (tile: HeifItem): boolean =>
    tile.type === 'hvc1' &&
    tile.extents.length > 0 &&
    find(tile, 'hvcC')?.equals(configuration) === true &&
    find(tile, 'ispe')?.equals(find(first, 'ispe') ?? Buffer.alloc(0)) === true;
  if (!tiles.every(hasSameFormat)) return undefined;
  const tile = readSize(first.properties);
  const size = grid ?? tile;
  const columns = grid?.columns ?? 1;
  const rows = tiles.length / columns;
  if (size.width > tile.width * columns || size.height > tile.height * rows) return undefined;
  return {
    width: size.width,
    height: size.height,
    columns,
    tiles,
    tileWidth: tile.width,
    tileHeight: tile.height,
    configuration,
    rotation,
    icc: readProfile(heif),
    coding: readCoding([...primary.properties, ...first.properties]),
    data: heif.data,
  };
}

const find = ({ properties }: HeifItem, type: string): Buffer | undefined =>
  properties.find((box) => box.type === type)?.body;

/** True if the file has an alpha mask for the primary picture. Depth and gain maps do not count. */
export const hasTransparency = ({ items, references, primaryId }: HeifItems): boolean =>
  references.some(({ type, from, to }) => {
    const kind = items.get(from) && find(items.get(from)!, 'auxC')?.toString('latin1', 4);
    return type === 'auxl' && to.includes(primaryId) && /:auxid:1\0|:alpha\0/.test(kind ?? '');
  });

function readSize(properties: readonly Box[]): { width: number; height: number } {
  const fields = readFields(properties.find(({ type }) => type === 'ispe')?.body ?? Buffer.alloc(0));
  fields.u32();
  return { width: fields.u32(), height: fields.u32() };
}

/** Reads a grid (ISO/IEC 23008-12, 6.6.2.3.2); undefined if it is not in `idat`, or if tiles are missing. */
function readGrid(heif: HeifItems, { extents: [extent] }: HeifItem) {
  if (extent?.isInBox !== true) return undefined;
  const fields = readFields(heif.data.subarray(extent.offset));
  fields.u8();
  const isWide = (fields.u8() & 1) === 1;
  const [rows, columns] = [fields.u8() + 1, fields.u8() + 1];
  const number = isWide ? fields.u32 : fields.u16;
  const [width, height] = [number(), number()];
  const ids = heif.references.find(({ type, from }) => type === 'dimg' && from === heif.primaryId)?.to ?? [];
  const tiles = ids.flatMap((id) => heif.items.get(id) ?? []);
  return tiles.length === rows * columns ? { width, height, columns, tiles } : undefined;
}

/**
 * Combines the rotation and mirroring properties in their order: `irot` in counterclockwise quarter turns, `imir` top to bottom or left to right
 * (ISO/IEC 23008-12, 6.5.10 and 6.5.12). Undefined if a property crops or is unsupported.
 */
function readRotation(properties: readonly Box[]): Rotation | undefined {
  let [degrees, mirrored] = [0, false];
  for (const { type, body } of properties) {
    if (type === 'irot') degrees += 360 - 90 * ((body[0] ?? 0) & 3);
    // Rotating clockwise, then mirroring, equals mirroring, then rotating counterclockwise.
    if (type === 'imir')
      [degrees, mirrored] = [(((body[0] ?? 0) & 1) === 0 ? 180 : 0) + 360 - (degrees % 360), !mirrored];
    if (type === 'clap' || type === 'iscl' || type === 'rloc') return undefined;
  }
  return { degrees: (degrees % 360) as Rotation['degrees'], mirrored };
}

function readCoding(properties: readonly Box[]): HeifPicture['coding'] {
  const box = properties.find(({ type, body }) => type === 'colr' && body.toString('latin1', 0, 4) === 'nclx');
  if (box === undefined || box.body.length < 11) return undefined;
  return { matrix: box.body.readUInt16BE(8), isFullRange: (box.body[10]! & 0x80) !== 0 };
}
