import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Small valid pictures of 160 × 120 with text that is huge when decompressed. They are made on demand, not stored. */
export const metadataBombs: Readonly<Record<string, () => Buffer>> = {
  /** A file of 2 MB with 2 GiB of text, in a field that Hearth does not request. */
  '2 GiB of a comment': () => makePng(packedText('Comment', 2048)),
  '700 MiB of a program’s name': () => makePng(packedText('Software', 700)),
  /** Fits into exiftool's memory, but several copies of the output would not fit into the worker's memory. */
  '30 MiB of a program’s name': () => makePng(packedText('Software', 30)),
  '100 MiB of a comment': () => makePng(packedText('Comment', 100)),
  'nested descriptions': () => makeNestedDescriptions(8_050),
};

/**
 * Makes nested XMP elements. exiftool searches for the end of each level separately: 8,050 levels in a file of 105 KB take
 * more than half a minute of CPU time, 1,000 levels take half a second.
 */
export const makeNestedDescriptions = (levels: number): Buffer => {
  const nested = `${'<dc:a>'.repeat(levels)}${'</dc:a>'.repeat(levels)}`;
  const description = `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">${nested}</rdf:Description>`;
  const packet = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF>`;
  // Without compression or language (PNG, third edition, 11.3.3.4).
  return makePng(chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${packet}`, 'latin1')));
};

/** Makes a file of about 1 KB with a date, a million spaces and a second line. A backtracking regular expression takes a day. */
export const makeFrozenTime = (): Buffer =>
  makePng(textChunk('DateTimeOriginal', deflateSync(`2019:04:30${' '.repeat(1e6)}\nx`)));

const side = { width: 160, height: 120 };

/** Makes a picture with an extra chunk before its pixels (PNG, third edition, 11.3.3.3). */
function makePng(extra: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side.width, 0);
  header.writeUInt32BE(side.height, 4);
  // Eight bits, true colour.
  header.set([8, 2], 8);
  const rows = Buffer.alloc(side.height * (1 + 3 * side.width));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    extra,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Compresses a text of one repeated letter. Each MiB is the same compressed block, which ends with a full flush. */
function packedText(name: string, mebibytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(MiB, letter), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: mebibytes }, () => piece);
  return textChunk(name, Buffer.concat([zlibHeader, ...pieces, emptyLastBlock, computeAdler(mebibytes * MiB)]));
}

const MiB = 2 ** 20;
const letter = '!'.charCodeAt(0);
const zlibHeader = Buffer.from([0x78, 0x01]);
const emptyLastBlock = Buffer.from([0x03, 0x00]);

/** Computes Adler-32 (RFC 1950): the sum of the bytes plus 1, and the sum of these sums, both modulo 65521. */
function computeAdler(count: number): Buffer {
  const [n, value] = [BigInt(count), BigInt(letter)];
  const sums = Buffer.alloc(4);
  sums.writeUInt16BE(Number((n + (value * n * (n + 1n)) / 2n) % 65_521n), 0);
  sums.writeUInt16BE(Number((1n + value * n) % 65_521n), 2);
  return sums;
}

/** The first zero byte ends the name, the second is the compression method. */
const textChunk = (name: string, packed: Buffer): Buffer =>
  chunk('zTXt', Buffer.concat([Buffer.from(`${name}\0\0`, 'latin1'), packed]));

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Makes a RAF with a directory cut inside a size. It crashes exiftool 13.59 ("'x' outside of string in unpack"). */
export function makeTruncatedRaf(): Buffer {
  const file = Buffer.alloc(265);
  file.write('FUJIFILM', 'latin1');
  file.writeUInt32BE(256, 0x5c);
  // The directory claims 132 entries and has one, the size of the picture, with 1 of its 4 bytes.
  file.writeUInt32BE(132, 256);
  file.writeUInt16BE(0x0100, 260);
  file.writeUInt16BE(4, 262);
  return file;
}
