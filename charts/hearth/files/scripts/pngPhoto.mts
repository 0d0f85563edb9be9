import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Returns a new picture each time: a PNG of 640 × 480 pixels with a gradient between two random colours. */
export const pngPhoto = (): Buffer<ArrayBuffer> => {
  const [width, height] = [640, 480];
  const colours = randomBytes(6);
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = (x + y) / (width + height);
      for (let channel = 0; channel < 3; channel++) {
        // Each row starts with a filter byte, 0 for none.
        const at = y * (1 + 3 * width) + 1 + 3 * x + channel;
        rows[at] = colours[channel]! * (1 - share) + colours[3 + channel]! * share;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits each for red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** Writes length, type, data and checksum (https://www.w3.org/TR/png-3/#5Chunk-layout). */
const chunk = (type: string, data: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  content.copy(framed, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
};
