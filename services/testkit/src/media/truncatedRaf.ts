/** A RAF whose directory ends within a size: exiftool 13.59 ends over it ("'x' outside of string in unpack"). */
export function makeTruncatedRaf(): Buffer {
  const file = Buffer.alloc(265);
  file.write('FUJIFILM', 'latin1');
  file.writeUInt32BE(256, 0x5c);
  // 132 entries, of which there is one: the size of the picture, of 4 bytes, of which there is one.
  file.writeUInt32BE(132, 256);
  file.writeUInt16BE(0x0100, 260);
  file.writeUInt16BE(4, 262);
  return file;
}
