/**
 * Returns the name of a colour profile: its `desc` tag (ICC.1:2022, 9.2.41). If the tag has several languages, the first
 * one is used.
 */
export function readProfileName(icc: Buffer): string | undefined {
  const count = icc.readUInt32BE(128);
  for (let at = 132; at < 132 + 12 * count; at += 12) {
    if (icc.toString('latin1', at, at + 4) !== 'desc') continue;
    const tag = icc.subarray(icc.readUInt32BE(at + 4)).subarray(0, icc.readUInt32BE(at + 8));
    if (tag.toString('latin1', 0, 4) === 'desc') return tag.toString('latin1', 12, 11 + tag.readUInt32BE(8));
    const [length, offset] = [tag.readUInt32BE(20), tag.readUInt32BE(24)];
    return Buffer.from(tag.subarray(offset, offset + length))
      .swap16()
      .toString('utf16le')
      .replace(/\0+$/, '');
  }
  return undefined;
}
