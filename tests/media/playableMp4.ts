/** The properties of an MP4 that decide whether a browser can play it (ISO/IEC 14496-12). */
export interface Mp4 {
  /** True if the index (`moov`) comes before the media data (`mdat`), so that playback starts at once. */
  readonly isFastStart: boolean;
  /** Codec of each track by its sample entry, such as `avc1` for H.264. */
  readonly codecs: readonly string[];
  readonly durationSeconds: number;
}

/** Parses the boxes of an MP4. Returns undefined if the file is not one. */
export const readMp4 = (bytes: Buffer): Mp4 | undefined => {
  const boxes = listBoxes(bytes, 0, bytes.length);
  const [moov, mdat] = ['moov', 'mdat'].map((type) => boxes.find((box) => box.type === type));
  if (boxes[0]?.type !== 'ftyp' || moov === undefined || mdat === undefined) return undefined;
  const inMoov = listBoxes(bytes, moov.begin, moov.end);
  const mvhd = inMoov.find(({ type }) => type === 'mvhd');
  if (mvhd === undefined) return undefined;
  const isLong = bytes[mvhd.begin] === 1;
  const [scaleAt, durationAt] = isLong ? [20, 24] : [12, 16];
  const scale = bytes.readUInt32BE(mvhd.begin + scaleAt);
  const duration = isLong
    ? Number(bytes.readBigUInt64BE(mvhd.begin + durationAt))
    : bytes.readUInt32BE(mvhd.begin + durationAt);
  return {
    isFastStart: moov.begin < mdat.begin,
    codecs: inMoov.filter(({ type }) => type === 'trak').flatMap((trak) => findCodec(bytes, trak) ?? []),
    durationSeconds: duration / scale,
  };
};

interface Box {
  readonly type: string;
  /** Byte range of the content. */
  readonly begin: number;
  readonly end: number;
}

const findCodec = (bytes: Buffer, trak: Box): string | undefined => {
  let inside: Box | undefined = trak;
  for (const type of ['mdia', 'minf', 'stbl', 'stsd']) {
    inside = inside && listBoxes(bytes, inside.begin, inside.end).find((box) => box.type === type);
  }
  // Version, flags, entry count and the size of the first entry precede its type.
  return inside && bytes.toString('latin1', inside.begin + 12, inside.begin + 16);
};

const listBoxes = (bytes: Buffer, from: number, to: number): Box[] => {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const short = bytes.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    const size = short === 0 ? to - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    if (size < header) break;
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), begin: at + header, end: Math.min(to, at + size) });
    at += size;
  }
  return boxes;
};
