import { BoxSyntaxError, readBoxes, readFields, type Box } from '../formats/isoBoxes.ts';

/** Position of item bytes, in the file or in the `idat` box. */
export interface Extent {
  readonly isInBox: boolean;
  readonly offset: number;
  /** In bytes; 0 means up to the end. */
  readonly length: number;
}

/** An item of a HEIF file, such as a coded picture, a grid of pictures, or EXIF data. */
export interface HeifItem {
  readonly type: string;
  readonly extents: readonly Extent[];
  /** Properties, in the order of application. */
  readonly properties: readonly Box[];
}

/** Contents of a `meta` box (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3). */
export interface HeifItems {
  readonly primaryId: number;
  readonly items: ReadonlyMap<number, HeifItem>;
  /** References between items: `dimg` from a grid to its tiles in order, `auxl` from a mask to its picture. */
  readonly references: readonly { readonly type: string; readonly from: number; readonly to: readonly number[] }[];
  /** Contents of `idat`. */
  readonly data: Buffer;
}

/** Parses a `meta` box. @throws BoxSyntaxError */
export function readItems(meta: Buffer): HeifItems {
  // The box begins with its version and flags.
  const boxes = readBoxes(meta.subarray(4));
  const body = (type: string): Buffer | undefined => boxes.find((box) => box.type === type)?.body;
  const need = (type: string): Buffer => {
    const found = body(type);
    if (found === undefined) throw new BoxSyntaxError(`no ${type}`);
    return found;
  };
  const locations = readLocations(need('iloc'));
  const properties = readProperties(readBoxes(need('iprp')));
  const items = [...readTypes(need('iinf'))].map(
    ([id, type]) => [id, { type, extents: locations.get(id) ?? [], properties: properties.get(id) ?? [] }] as const,
  );
  return {
    primaryId: readPrimaryId(need('pitm')),
    items: new Map(items),
    references: readReferences(body('iref')),
    data: body('idat') ?? Buffer.alloc(0),
  };
}

function readPrimaryId(body: Buffer): number {
  const fields = readFields(body);
  return fields.u32() >>> 24 === 0 ? fields.u16() : fields.u32();
}

function* readTypes(body: Buffer): Generator<readonly [number, string]> {
  const isShort = (body[0] ?? 0) === 0;
  for (const box of readBoxes(body.subarray(isShort ? 6 : 8))) {
    if (box.type !== 'infe') continue;
    const fields = readFields(box.body);
    const version = fields.u32() >>> 24;
    if (version < 2) throw new BoxSyntaxError(`unsupported infe version ${version}`);
    const id = version === 2 ? fields.u16() : fields.u32();
    fields.u16();
    yield [id, fields.text(4)];
  }
}

function readLocations(body: Buffer): ReadonlyMap<number, readonly Extent[]> {
  const fields = readFields(body);
  const version = fields.u32() >>> 24;
  const sizes = fields.u16();
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    sizes >>> 12,
    (sizes >>> 8) & 15,
    (sizes >>> 4) & 15,
    sizes & 15,
  ];
  const count = version < 2 ? fields.u16() : fields.u32();
  const locations = new Map<number, readonly Extent[]>();
  for (let item = 0; item < count; item += 1) {
    const id = version < 2 ? fields.u16() : fields.u32();
    const method = version === 0 ? 0 : fields.u16() & 15;
    const dataReference = fields.u16();
    const base = fields.sized(baseSize);
    const extents = Array.from({ length: fields.u16() }, (): Extent => {
      if (version > 0) fields.sized(indexSize);
      return { isInBox: method === 1, offset: base + fields.sized(offsetSize), length: fields.sized(lengthSize) };
    });
    // With method 2 the item is constructed from others. With another data reference it is in another file.
    if (method < 2 && dataReference === 0) locations.set(id, extents);
  }
  return locations;
}

function readProperties(boxes: readonly Box[]): ReadonlyMap<number, readonly Box[]> {
  const container = boxes.find(({ type }) => type === 'ipco');
  const all = container === undefined ? [] : readBoxes(container.body);
  const properties = new Map<number, readonly Box[]>();
  for (const { body } of boxes.filter(({ type }) => type === 'ipma')) {
    const fields = readFields(body);
    const versionAndFlags = fields.u32();
    const isWide = (versionAndFlags & 1) === 1;
    for (let count = fields.u32(); count > 0; count -= 1) {
      const id = versionAndFlags >>> 24 === 0 ? fields.u16() : fields.u32();
      const associated = Array.from({ length: fields.u8() }, () =>
        isWide ? fields.u16() & 0x7fff : fields.u8() & 0x7f,
      );
      // Indices start at 1; 0 means none.
      properties.set(
        id,
        associated.flatMap((index) => all[index - 1] ?? []),
      );
    }
  }
  return properties;
}

function readReferences(body: Buffer | undefined): HeifItems['references'] {
  if (body === undefined) return [];
  const isWide = (body[0] ?? 0) > 0;
  return readBoxes(body.subarray(4)).map((box) => {
    const fields = readFields(box.body);
    const id = isWide ? fields.u32 : fields.u16;
    const from = id();
    return { type: box.type, from, to: Array.from({ length: fields.u16() }, id) };
  });
}
