import sharp from 'sharp';
import { readBoxes, type Box } from '@hearth/worker/media/formats/isoBoxes.ts';
import { encodeFrames } from './encodeFrames.ts';

export interface TestHeic {
  /** The picture as stored, before `irot` and `imir`. */
  readonly picture: Buffer;
  /** Side of a tile in pixels, a multiple of 8. Default: the picture is a single item. */
  readonly tileSize?: number;
  readonly pixels?: 'yuv420p' | 'yuv420p10';
  /** Counterclockwise quarter turns. */
  readonly irot?: 0 | 1 | 2 | 3;
  /** 0: top to bottom, 1: left to right. Applied before `irot` if `mirrorsFirst`. */
  readonly imir?: 0 | 1;
  readonly mirrorsFirst?: boolean;
  readonly icc?: Buffer;
  /** Crops to this size, in the middle. */
  readonly clap?: { readonly width: number; readonly height: number };
}

/** Makes a HEIC: tiles encoded with x265, and the boxes around them (ISO/IEC 23008-12). */
export async function makeHeic({ picture, tileSize, pixels = 'yuv420p', ...rest }: TestHeic): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const [tileWidth, tileHeight] = tileSize === undefined ? [width, height] : [tileSize, tileSize];
  const [columns, rows] = [Math.ceil(width / tileWidth), Math.ceil(height / tileHeight)];
  const extended = await sharp(picture)
    .extend({ right: columns * tileWidth - width, bottom: rows * tileHeight - height, extendWith: 'copy' })
    .png()
    .toBuffer();
  const tiles = await Promise.all(
    Array.from({ length: columns * rows }, (_, i) => ({
      left: (i % columns) * tileWidth,
      top: Math.floor(i / columns) * tileHeight,
    })).map(async ({ left, top }) =>
      sharp(extended).extract({ left, top, width: tileWidth, height: tileHeight }).png().toBuffer(),
    ),
  );
  const options = { preset: 'ultrafast', 'x265-params': 'log-level=none:keyint=1:bframes=0:crf=8' };
  const video = await encodeFrames(tiles, { encoder: 'libx265', container: 'mp4', pixels, options });
  const samples = readSamples(video);
  const isGrid = tileSize !== undefined;
  const { clap } = rest;
  const transforms = [
    ...(clap === undefined ? [] : [box('clap', Buffer.concat([clap.width, 1, clap.height, 1, 0, 1, 0, 1].map(u32)))]),
    ...(rest.irot === undefined ? [] : [box('irot', Buffer.from([rest.irot]))]),
    ...(rest.imir === undefined ? [] : [box('imir', Buffer.from([rest.imir]))]),
  ];
  const properties = [
    samples.configuration,
    box('ispe', Buffer.concat([u32(0), u32(tileWidth), u32(tileHeight)])),
    box('ispe', Buffer.concat([u32(0), u32(width), u32(height)])),
    ...(rest.mirrorsFirst === true ? transforms.toReversed() : transforms),
    ...(rest.icc === undefined ? [] : [box('colr', Buffer.concat([Buffer.from('prof'), rest.icc]))]),
  ];
  const extra = properties.slice(3).map((_, i) => 4 + i);
  // Item 1 is the picture. The tiles of a grid follow.
  const items = [
    { type: isGrid ? 'grid' : 'hvc1', properties: isGrid ? [3, ...extra] : [1, 2, ...extra] },
    ...(isGrid ? tiles.map(() => ({ type: 'hvc1', properties: [1, 2] })) : []),
  ];
  const grid = Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), u16(width), u16(height)]);
  const assemble = (dataAt: number): Buffer => {
    let at = dataAt;
    const locations = items.map(({ type }, i) => {
      const size = samples.sizes[isGrid ? i - 1 : i] ?? 0;
      const [method, offset, length] = type === 'grid' ? [1, 0, grid.length] : [0, at, size];
      if (type !== 'grid') at += size;
      return Buffer.concat([u16(i + 1), u16(method), u16(0), u16(1), u32(offset), u32(length)]);
    });
    const references = box('dimg', Buffer.concat([u16(1), u16(tiles.length), ...tiles.map((_, i) => u16(i + 2))]));
    const meta = [
      box('hdlr', Buffer.concat([u32(0), u32(0), Buffer.from('pict'), Buffer.alloc(13)])),
      box('pitm', Buffer.concat([u32(0), u16(1)])),
      box('iloc', Buffer.concat([u32(0x0100_0000), Buffer.from([0x44, 0]), u16(items.length), ...locations])),
      box('iinf', Buffer.concat([u32(0), u16(items.length), ...items.map(describeItem)])),
      ...(isGrid ? [box('iref', Buffer.concat([u32(0), references])), box('idat', grid)] : []),
      box('iprp', Buffer.concat([box('ipco', Buffer.concat(properties)), associate(items)])),
    ];
    const brands = box('ftyp', Buffer.concat([Buffer.from('heic'), u32(0), Buffer.from('mif1heic')]));
    return Buffer.concat([
      brands,
      box('meta', Buffer.concat([u32(0), ...meta])),
      u32(8 + samples.data.length),
      Buffer.from('mdat'),
    ]);
  };
  return Buffer.concat([assemble(assemble(0).length), samples.data]);
}

const describeItem = ({ type }: { type: string }, i: number): Buffer =>
  box('infe', Buffer.concat([u32(0x0200_0000), u16(i + 1), u16(0), Buffer.from(type), Buffer.from([0])]));

const associate = (items: readonly { readonly properties: readonly number[] }[]): Buffer => {
  const entries = items.map(({ properties }, i) =>
    Buffer.concat([u16(i + 1), Buffer.from([properties.length, ...properties])]),
  );
  return box('ipma', Buffer.concat([u32(0), u32(items.length), ...entries]));
};

/** Returns the frames of an MP4, and the box with its decoder configuration. */
function readSamples(video: Buffer): { configuration: Buffer; sizes: readonly number[]; data: Buffer } {
  const find = (boxes: readonly Box[], ...path: readonly string[]): Buffer => {
    const body = boxes.find(({ type }) => type === path[0])!.body;
    return path.length === 1 ? body : find(readBoxes(body), ...path.slice(1));
  };
  const outer = readBoxes(video);
  const table = (type: string): Buffer => find(outer, 'moov', 'trak', 'mdia', 'minf', 'stbl', type);
  const description = table('stsd');
  const at = description.indexOf('hvcC') - 4;
  const stsz = table('stsz');
  const count = stsz.readUInt32BE(8);
  const same = stsz.readUInt32BE(4);
  const sizes = Array.from({ length: count }, (_, i) => same || stsz.readUInt32BE(12 + 4 * i));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const data = find(outer, 'mdat');
  return {
    configuration: description.subarray(at, at + description.readUInt32BE(at)),
    sizes,
    data: data.subarray(data.length - total),
  };
}

function box(type: string, body: Buffer): Buffer {
  return Buffer.concat([u32(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
