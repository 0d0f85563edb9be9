import { crc32 } from 'node:zlib';

/** Makes an animated PNG from PNGs of the same size and colour type, each shown for `delayMs` (w3.org/TR/png-3, 4.9). */
export function makeApng(frames: readonly { readonly png: Buffer; readonly delayMs: number }[]): Buffer {
  const chunks = frames.map(({ png }) => readChunks(png));
  const header = chunks[0]!.find(({ type }) => type === 'IHDR')!.body;
  let sequence = 0;
  const number = (): Buffer => u32(sequence++);
  const animation = frames.flatMap(({ delayMs }, frame) => {
    const delay = Buffer.from([delayMs >> 8, delayMs & 255, 1_000 >> 8, 1_000 & 255, 0, 0]);
    const control = Buffer.concat([number(), header.subarray(0, 8), u32(0), u32(0), delay]);
    const data = Buffer.concat(chunks[frame]!.filter(({ type }) => type === 'IDAT').map(({ body }) => body));
    return [
      makeChunk('fcTL', control),
      frame === 0 ? makeChunk('IDAT', data) : makeChunk('fdAT', Buffer.concat([number(), data])),
    ];
  });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    makeChunk('IHDR', header),
    makeChunk('acTL', Buffer.concat([u32(frames.length), u32(0)])),
    ...animation,
    makeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function readChunks(png: Buffer): { type: string; body: Buffer }[] {
  const chunks = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      body: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)),
    });
  }
  return chunks;
}

function makeChunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  return Buffer.concat([u32(body.length), typed, u32(crc32(typed))]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
