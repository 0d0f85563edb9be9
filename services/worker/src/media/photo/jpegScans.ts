import { open, type FileHandle } from 'node:fs/promises';
import { DecodeError } from '../errors/decodeError.ts';

/**
 * Maximum number of scans in a JPEG. Encoders write about ten. Each further scan needs only a few bytes of the file, but costs a pass over all
 * pixels.
 */
const maxJpegScans = 100;

/** Bytes per read. */
const blockBytes = 64 * 1024;

/** Second bytes of markers, after 0xFF (ITU-T T.81, table B.1). */
const markers = { endOfImage: 0xd9, startOfScan: 0xda, temporary: 0x01, stuffed: 0x00 } as const;

/** True if a marker starts a frame header, which precedes all scans: SOF0 to SOF15, except DHT, JPG and DAC, which have codes in this range. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Frame types that are complete after one scan with all components: SOF0, SOF1 and SOF9. */
const sequentialFrames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc9]);

/**
 * Rejects a JPEG with too many scans, without decoding it. Damaged files are left to the decoder, which stops at the damage.
 * @throws DecodeError TOO_LARGE
 */
export async function checkJpegScans(path: string): Promise<void> {
  const file = await open(path);
  try {
    if ((await countScans(openForwardBytes(file))) <= maxJpegScans) return;
  } finally {
    await file.close();
  }
  throw new DecodeError('TOO_LARGE', `The picture has more than ${maxJpegScans} scans.`);
}

/** Counts scans up to one above the limit, or up to a scan with all components, because decoders stop there. */
async function countScans(bytes: ForwardBytes): Promise<number> {
  let scans = 0;
  let componentsOfFullScan: number | undefined;
  for (let at = 2; scans <= maxJpegScans;) {
    const found = await bytes.findMarker(at);
    if (found === undefined || found.marker === markers.endOfImage) return scans;
    // A segment begins with its length in 2 bytes. A frame header continues with 1 byte of precision, 4 of size, and the number of components. A scan
    // header continues with the number of components.
    const head = await bytes.read(found.end, 8);
    if (head.length < 2) return scans;
    if (isFrame(found.marker) && sequentialFrames.has(found.marker)) componentsOfFullScan = head[7];
    if (found.marker === markers.startOfScan) {
      scans += 1;
      if (head[2] === componentsOfFullScan) return scans;
    }
    // A scan header is followed by its pixels, which contain no unescaped 0xFF.
    at = found.end + Math.max(2, head.readUInt16BE(0));
  }
  return scans;
}

/** A file that is read forward, block by block. */
interface ForwardBytes {
  read(at: number, length: number): Promise<Buffer>;
  /** Returns the next marker that has a segment or ends the picture, and the position after it. */
  findMarker(from: number): Promise<{ readonly marker: number; readonly end: number } | undefined>;
}

function openForwardBytes(file: FileHandle): ForwardBytes {
  const buffer = Buffer.allocUnsafe(blockBytes);
  let [begin, length] = [0, 0];
  /** Returns the bytes from `at` on: at least `wanted`, unless the file ends. */
  const from = async (at: number, wanted: number): Promise<Buffer> => {
    if (at < begin || at + wanted > begin + length) {
      ({ bytesRead: length } = await file.read({ buffer, position: at }));
      begin = at;
    }
    return buffer.subarray(at - begin, length);
  };
  return {
    read: async (at, wanted) => (await from(at, wanted)).subarray(0, wanted),
    findMarker: async (start) => {
      for (let at = start; ;) {
        const block = await from(at, 2);
        if (block.length < 2) return undefined;
        let index = block.indexOf(0xff);
        while (index >= 0 && index + 1 < block.length && isStandaloneMarker(block[index + 1]!)) {
          index = block.indexOf(0xff, index + (block[index + 1] === 0xff ? 1 : 2));
        }
        if (index < 0) at += block.length;
        else if (index + 1 === block.length) at += index;
        else return { marker: block[index + 1]!, end: at + index + 2 };
      }
    },
  };
}

/** True for markers without a segment, which also occur among pixels: RST0 to RST7, TEM, an escaped 0xFF, and a 0xFF used as padding. */
const isStandaloneMarker = (marker: number): boolean =>
  marker === markers.stuffed || marker === markers.temporary || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
