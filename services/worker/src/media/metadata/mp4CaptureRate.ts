import { open, type FileHandle } from 'node:fs/promises';
import { walkBoxes, type Span } from '../formats/fileBoxes.ts';

/**
 * Returns the recording frame rate of an Android phone (`com.android.capture.fps`), or undefined. Reads MP4s whose `meta` box has a version field,
 * as FFmpeg writes it; exiftool finds no rate in these.
 */
export async function readMp4CaptureRate(path: string): Promise<number | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const movie = await findBox(file, 'moov', { begin: 0, end: size });
    const meta = movie && (await findBox(file, 'meta', movie));
    if (!meta) return undefined;
    const bytes = Buffer.alloc(Math.min(meta.end - meta.begin, maxMetaBytes));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, meta.begin);
    return readRate(bytes.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Maximum number of bytes of `meta` to read. Keys and their values take a few hundred. */
const maxMetaBytes = 64 * 1024;
/** Maximum number of entries in `keys`. */
const maxKeys = 1_000;

/** Returns the contents of the first box of a type. */
async function findBox(file: FileHandle, type: string, span: Span): Promise<Span | undefined> {
  for await (const box of walkBoxes(file, span)) {
    if (box.type === type) return box.end > box.body ? { begin: box.body, end: box.end } : undefined;
  }
  return undefined;
}

const key = Buffer.from('mdtacom.android.capture.fps', 'latin1');

/** Returns the value of the key. `keys` numbers the keys from 1, and `ilst` has a box per number, with a `data` box inside. */
function readRate(meta: Buffer): number | undefined {
  const [keys, values] = [meta.indexOf('keys', 0, 'latin1'), meta.indexOf('ilst', 0, 'latin1')];
  if (keys < 0 || values < keys || keys + 12 > meta.length) return undefined;
  let at = keys + 12;
  for (let number = 1; number <= maxKeys && at + 8 <= values; number += 1) {
    const length = meta.readUInt32BE(at);
    if (meta.subarray(at + 4, at + length).equals(key)) return readValue(meta, values + 4, number);
    if (length < 8) return undefined;
    at += length;
  }
  return undefined;
}

function readValue(meta: Buffer, begin: number, number: number): number | undefined {
  for (let at = begin; at + 24 <= meta.length;) {
    const length = meta.readUInt32BE(at);
    if (length < 24 || at + length > meta.length) return undefined;
    // Entry: length, number; then length, `data`, kind of value, language.
    const [kind, value] = [meta.readUInt32BE(at + 16), meta.subarray(at + 24, at + length)];
    if (meta.readUInt32BE(at + 4) === number) {
      return kind === kinds.float && value.length === 4 ? value.readFloatBE(0) : Number(value.toString('latin1'));
    }
    at += length;
  }
  return undefined;
}

/** Value types of QuickTime metadata. */
const kinds = { float: 23 } as const;
