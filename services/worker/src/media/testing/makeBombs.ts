import { crc32, createDeflate, deflateSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';

/** Pictures of 160 × 120 that are small and whole, and whose text is not small once it is unpacked. Made when they are asked for: none is shipped. */
export const metadataBombs: Readonly<Record<string, () => Promise<Buffer>>> = {
  /** 2 MB of file, 2 GiB of text under a name that nobody asks for. */
  '2 GiB of a comment': () => makePng(packedText('Comment', 2048)),
  '700 MiB of a program’s name': () => makePng(packedText('Software', 700)),
  /** Fits into the memory of a reader; its output would not fit into that of ours several times over. */
  '30 MiB of a program’s name': () => makePng(packedText('Software', 30)),
  '100 MiB of a comment': () => makePng(packedText('Comment', 100)),
};

/** 7 KB of file: a date, a million blanks and a second line, over which an expression that goes back takes a day. */
export const makeFrozenTime = (): Promise<Buffer> =>
  makePng(Promise.resolve(textChunk('DateTimeOriginal', deflateSync(`2019:04:30${' '.repeat(1e6)}\nx`))));

const side = { width: 160, height: 120 };

/** Any picture, with one more chunk before its pixels (PNG, third edition, 11.3.3.3). */
async function makePng(extra: Promise<Buffer>): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side.width, 0);
  header.writeUInt32BE(side.height, 4);
  // Eight bits, true colour.
  header.set([8, 2], 8);
  const rows = Buffer.alloc(side.height * (1 + 3 * side.width));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    await extra,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function packedText(name: string, mebibytes: number): Promise<Buffer> {
  const block = Buffer.alloc(1024 * 1024, '!');
  const packer = createDeflate({ level: 9 });
  Readable.from(Array.from({ length: mebibytes }, () => block)).pipe(packer);
  return textChunk(name, await buffer(packer));
}

/** A zero byte ends the name, another one says how the text is packed. */
const textChunk = (name: string, packed: Buffer): Buffer =>
  chunk('zTXt', Buffer.concat([Buffer.from(`${name}\0\0`, 'latin1'), packed]));

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
