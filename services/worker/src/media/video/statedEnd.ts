import type { FileHandle } from 'node:fs/promises';

/** Returns the length that the file's header states, in bytes; undefined if it states none, as in interrupted recordings. */
export type FindDeclaredEnd = (file: FileHandle, size: number) => Promise<number | undefined>;

/** First bytes of a container, and the function that reads its stated length. */
export interface LengthRule {
  readonly bytes: Buffer;
  readonly findEnd: FindDeclaredEnd;
}

/** Maximum number of RIFF chunks in a large AVI. Each has about a gigabyte. */
const maxRiffs = 1_000;

/** Bytes that an AVI may be shorter than stated: some programs include the header of eight bytes in the length. */
const riffSlack = 8;

/** Returns the end of the last RIFF chunk of an AVI (OpenDML AVI File Format Extensions, 1.02). */
const findRiffEnd: FindDeclaredEnd = async (file, size) => {
  const header = Buffer.alloc(12);
  let at = 0;
  for (let count = 0; count < maxRiffs && at + header.length <= size; count += 1) {
    await file.read(header, 0, header.length, at);
    if (header.toString('latin1', 0, 4) !== 'RIFF' || !/^AVI[ X]/.test(header.toString('latin1', 8))) break;
    const length = header.readUInt32LE(4);
    if (length === 0 || length >= 0xffff_fff0) return undefined;
    at += 8 + length + (length % 2);
  }
  return at - riffSlack;
};

/** Reads an EBML number (RFC 8794, 4). Its length in bytes is one more than the leading zero bits of its first byte. */
const readVint = (bytes: Buffer, at: number): { readonly value: number | undefined; readonly end: number } => {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8) return { value: undefined, end: at };
  let value = first - 2 ** (8 - length);
  for (let i = 1; i < length; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  // All ones mean an unknown length. Numbers above 2^53 are imprecise in JavaScript, but no file is that long.
  return { value: value >= 2 ** (7 * length) - 1 ? undefined : value, end: at + length };
};

/** Returns the end of the segment of a Matroska or WebM (RFC 9559, 4.5). */
const findSegmentEnd: FindDeclaredEnd = async (file, size) => {
  const head = Buffer.alloc(32);
  await file.read(head, 0, head.length, 0);
  const header = readVint(head, 4);
  if (header.value === undefined) return undefined;
  const at = header.end + header.value;
  if (at >= size) return undefined;
  await file.read(head, 0, head.length, at);
  if (head.readUInt32BE(0) !== 0x18538067) return undefined;
  const segment = readVint(head, 4);
  return segment.value === undefined ? undefined : at + segment.end + segment.value;
};

/** Maximum number of objects to search in the header of a WMV. */
const maxAsfObjects = 100;

const asfFileProperties = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');

/** Returns the length in the file properties object (Advanced Systems Format Specification, 3.2); undefined for a broadcast. */
const findAsfEnd: FindDeclaredEnd = async (file, size) => {
  const object = Buffer.alloc(92);
  for (let at = 30, count = 0; count < maxAsfObjects && at + object.length <= size; count += 1) {
    await file.read(object, 0, object.length, at);
    if (object.subarray(0, 16).equals(asfFileProperties)) {
      const isBroadcast = object.readUInt32LE(88) % 2 === 1;
      return isBroadcast ? undefined : Number(object.readBigUInt64LE(40));
    }
    const length = Number(object.readBigUInt64LE(16));
    if (length < 24) return undefined;
    at += length;
  }
  return undefined;
};

/** Containers that state the length of the file. */
export const lengthRules: readonly LengthRule[] = [
  { bytes: Buffer.from('RIFF'), findEnd: findRiffEnd },
  { bytes: Buffer.from('1a45dfa3', 'hex'), findEnd: findSegmentEnd },
  { bytes: Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex'), findEnd: findAsfEnd },
];
