/** A RAW file for tests, with previews but without sensor data. */
export interface TestRaw {
  /** Stored size of the RAW picture, in pixels. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation?: number;
  /** JPEGs. The first one is in the directory of the thumbnail. */
  readonly previews: readonly { readonly bytes: Buffer; readonly width: number; readonly height: number }[];
}

type Entry = readonly [tag: number, type: 1 | 3 | 4, values: readonly number[]];

const typeSizes = { 1: 1, 3: 2, 4: 4 } as const;

/** Makes a DNG (DNG 1.7, TIFF 6.0) with a directory per preview, and the RAW picture as a colour filter array. */
export function makeDng({ width, height, orientation = 1, previews }: TestRaw): Buffer {
  const [thumbnail, ...others] = previews;
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let length = 8;
  const append = (bytes: Buffer): number => {
    const at = length;
    parts.push(bytes, Buffer.alloc(bytes.length % 2));
    length += bytes.length + (bytes.length % 2);
    return at;
  };
  const pictureEntries = (preview: TestRaw['previews'][number] | undefined): Entry[] =>
    preview === undefined
      ? []
      : [
          [0x0100, 4, [preview.width]],
          [0x0101, 4, [preview.height]],
          [0x0103, 3, [7]],
          [0x0106, 3, [6]],
          [0x0111, 4, [append(preview.bytes)]],
          [0x0117, 4, [preview.bytes.length]],
        ];
  const appendDirectory = (entries: readonly Entry[]): number => {
    const fields = entries.toSorted(([a], [b]) => a - b).map((entry) => makeField(entry, append));
    const count = Buffer.alloc(2);
    count.writeUInt16LE(fields.length);
    return append(Buffer.concat([count, ...fields, Buffer.alloc(4)]));
  };
  const raw: Entry[] = [
    [0x00fe, 4, [0]],
    [0x0100, 4, [width]],
    [0x0101, 4, [height]],
    [0x0103, 3, [1]],
    [0x0106, 3, [32_803]],
  ];
  const subDirectories = [
    appendDirectory(raw),
    ...others.map((preview) => appendDirectory([[0x00fe, 4, [1]], ...pictureEntries(preview)])),
  ];
  const first = appendDirectory([
    [0x00fe, 4, [1]],
    ...pictureEntries(thumbnail),
    [0x0112, 3, [orientation]],
    [0x014a, 4, subDirectories],
    [0xc612, 1, [1, 4, 0, 0]],
  ]);
  const file = Buffer.concat(parts);
  file.writeUInt32LE(first, 4);
  return file;
}

function makeField([tag, type, values]: Entry, append: (bytes: Buffer) => number): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(tag, 0);
  field.writeUInt16LE(type, 2);
  field.writeUInt32LE(values.length, 4);
  const size = typeSizes[type];
  const bytes = Buffer.alloc(Math.max(4, size * values.length));
  values.forEach((value, i) => bytes.writeUIntLE(value, i * size, size));
  if (size * values.length <= 4) bytes.copy(field, 8);
  else field.writeUInt32LE(append(bytes), 8);
  return field;
}
