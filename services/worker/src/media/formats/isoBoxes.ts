/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2): its type and its contents. */
export interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** A file breaks the rules of its format, or uses a feature that this parser does not support. */
export class BoxSyntaxError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BoxSyntaxError';
  }
}

/** Maximum number of sibling boxes, which limits the cost of a malicious file. No valid file needs more. */
const maxBoxes = 4_096;

/** Returns the boxes in these bytes, in order. @throws BoxSyntaxError if a box is incomplete, or if there are more than `maxBoxes` */
export function readBoxes(bytes: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length;) {
    if (boxes.length >= maxBoxes || at + 8 > bytes.length)
      throw new BoxSyntaxError('too many boxes, or an incomplete box');
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) throw new BoxSyntaxError('box without a length');
    const header = isLong ? 16 : 8;
    const length = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    if (length < header || at + length > bytes.length) throw new BoxSyntaxError('box longer than its parent');
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + header, at + length) });
    at += length;
  }
  return boxes;
}

/** Reads numbers in order. */
export interface Fields {
  u8(): number;
  u16(): number;
  u32(): number;
  /** Reads a number of 0, 2, 4 or 8 bytes. */
  sized(bytes: number): number;
  text(length: number): string;
  /** Returns the remaining bytes. */
  rest(): Buffer;
}

/** Reads the fields of a box. Reading past its end throws. @throws BoxSyntaxError */
export function readFields(body: Buffer): Fields {
  let at = 0;
  const take = (length: number): number => {
    if (at + length > body.length) throw new BoxSyntaxError('box shorter than its fields');
    at += length;
    return at - length;
  };
  const fields: Fields = {
    u8: () => body.readUInt8(take(1)),
    u16: () => body.readUInt16BE(take(2)),
    u32: () => body.readUInt32BE(take(4)),
    sized: (bytes) => {
      if (bytes === 8) return Number(body.readBigUInt64BE(take(8)));
      if (![0, 2, 4].includes(bytes)) throw new BoxSyntaxError(`unsupported number of ${bytes} bytes`);
      return bytes === 0 ? 0 : body.readUIntBE(take(bytes), bytes);
    },
    text: (length) => {
      const from = take(length);
      return body.toString('latin1', from, from + length);
    },
    rest: () => body.subarray(at),
  };
  return fields;
}
