/** Views of a section's bytes as numbers: the file's own memory, not a copy. Sections begin at multiples of 8. */
type Bytes = Uint8Array;

export const u16 = ({ buffer, byteOffset, length }: Bytes): Uint16Array =>
  new Uint16Array(buffer, byteOffset, length / 2);

export const u32 = ({ buffer, byteOffset, length }: Bytes): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length / 4);

export const i32 = ({ buffer, byteOffset, length }: Bytes): Int32Array =>
  new Int32Array(buffer, byteOffset, length / 4);

export const f32 = ({ buffer, byteOffset, length }: Bytes): Float32Array =>
  new Float32Array(buffer, byteOffset, length / 4);
