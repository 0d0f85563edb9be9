import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';

export interface StoryVideoOptions {
  readonly seed: number;
  readonly frames: number;
  /** Content identifier of the matching photo, if this is the video of a Live Photo. */
  readonly contentIdentifier?: string;
}

const [width, height] = [320, 240];

/** Frames per second, and the time scale: a frame lasts one unit. */
const rate = 25;

/**
 * Makes a QuickTime movie in Motion JPEG, which no browser plays, so that it must be transcoded. Boxes follow the
 * QuickTime File Format Specification (https://developer.apple.com/documentation/quicktime-file-format).
 */
export const makeStoryVideo = async ({
  seed,
  frames,
  contentIdentifier,
}: StoryVideoOptions): Promise<Buffer<ArrayBuffer>> => {
  const pictures = await Promise.all([0, 1, 2].map((n) => makeTestPhoto({ seed: seed * 3 + n, width, height })));
  const samples = Array.from({ length: frames }, (_, n) => pictures[n % pictures.length]!);
  const head = box('ftyp', text('qt  '), u32(0), text('qt  '));
  const index = box(
    'moov',
    box('mvhd', u32(0, 0, 0, rate, frames, 0x10000), u16(0x100, 0), u32(0, 0), matrix, zeros(24), u32(2)),
    track(samples, head.length + boxHeaderBytes),
    ...(contentIdentifier === undefined ? [] : [metadata(contentIdentifier)]),
  );
  return Buffer.concat([head, box('mdat', ...samples), index]);
};

/** Size in bytes of a box header: length and type. */
const boxHeaderBytes = 8;

/** Makes a video track with all frames in one chunk at offset `chunkAt`. */
const track = (samples: readonly Buffer[], chunkAt: number): Buffer => {
  const count = samples.length;
  const sizes = samples.map(({ length }) => length);
  const size = u32(width * 0x10000, height * 0x10000);
  const entry = box(
    'jpeg',
    Buffer.concat([
      zeros(6),
      u16(1),
      zeros(16),
      u16(width, height),
      u32(72 * 0x10000, 72 * 0x10000, 0),
      u16(1),
      zeros(32),
    ]),
    u16(24, 0xffff),
  );
  const table = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stts', u32(0, 1, count, 1)),
    box('stsc', u32(0, 1, 1, count, 1)),
    box('stsz', u32(0, 0, count, ...sizes)),
    box('stco', u32(0, 1, chunkAt)),
  );
  const place = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))));
  return box(
    'trak',
    box('tkhd', u32(0xf, 0, 0, 1, 0, count), zeros(16), matrix, size),
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, rate, count), u16(0, 0)),
      box('hdlr', u32(0), text('mhlrvide'), zeros(13)),
      box('minf', box('vmhd', u32(1), zeros(8)), place, table),
    ),
  );
};

/** Makes Apple metadata with the identifier: a list of keys and a list of values. */
const metadata = (contentIdentifier: string): Buffer =>
  box(
    'meta',
    box('hdlr', u32(0, 0), text('mdta'), zeros(13)),
    box('keys', u32(0, 1), box('mdta', text('com.apple.quicktime.content.identifier'))),
    box('ilst', box(u32(1).toString('latin1'), box('data', u32(1, 0), text(contentIdentifier)))),
  );

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(boxHeaderBytes + body.length), text(type), body]);
};

/** Encodes 32-bit big-endian integers. */
const u32 = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
};

/** Encodes 16-bit big-endian integers. */
const u16 = (...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.length * 2);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number, index * 2);
  return bytes;
};

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

const zeros = (count: number): Buffer => Buffer.alloc(count);

/** Identity matrix. */
const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
