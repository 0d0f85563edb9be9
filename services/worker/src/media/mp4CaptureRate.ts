import { open, type FileHandle } from 'node:fs/promises';

/**
 * How many frames a second an Android phone took (`com.android.capture.fps`), from an MP4 whose `meta` box has a version before
 * its contents, as ffmpeg writes it: there exiftool finds nothing. Undefined where the file does not say.
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

/** Keys and their values are a few hundred bytes. */
const maxMetaBytes = 64 * 1024;
/** More than any file has beside one another: `moof` and `mdat` of a long stream are not walked through. */
const maxBoxes = 1_000;

interface Span {
  readonly begin: number;
  readonly end: number;
}

/** The contents of the first box of a kind (ISO/IEC 14496-12, 4.2). */
async function findBox(file: FileHandle, type: string, { begin, end }: Span): Promise<Span | undefined> {
  const header = Buffer.alloc(16);
  for (let at = begin, count = 0; at + 8 <= end && count < maxBoxes; count += 1) {
    const { bytesRead } = await file.read(header, 0, 16, at);
    if (bytesRead < 8) return undefined;
    const [short, headerBytes] = [header.readUInt32BE(0), header.readUInt32BE(0) === 1 ? 16 : 8];
    const length = short === 0 ? end - at : short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < headerBytes) return undefined;
    const span = { begin: at + headerBytes, end: Math.min(at + length, end) };
    if (header.toString('latin1', 4, 8) === type) return span.end > span.begin ? span : undefined;
    at += length;
  }
  return undefined;
}

const key = Buffer.from('mdtacom.android.capture.fps', 'latin1');

/** The value of the key: `keys` counts them, from 1, and `ilst` has a box per number with a `data` box inside. */
function readRate(meta: Buffer): number | undefined {
  const [keys, values] = [meta.indexOf('keys', 0, 'latin1'), meta.indexOf('ilst', 0, 'latin1')];
  if (keys < 0 || values < keys || keys + 12 > meta.length) return undefined;
  let at = keys + 12;
  for (let number = 1; number <= maxBoxes && at + 8 <= values; number += 1) {
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
    // Length, number; then length, `data`, kind of value, language.
    const [kind, value] = [meta.readUInt32BE(at + 16), meta.subarray(at + 24, at + length)];
    if (meta.readUInt32BE(at + 4) === number) {
      return kind === kinds.float && value.length === 4 ? value.readFloatBE(0) : Number(value.toString('latin1'));
    }
    at += length;
  }
  return undefined;
}

/** Kinds of values in QuickTime's metadata. */
const kinds = { float: 23 } as const;
