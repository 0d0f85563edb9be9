/** A section's bytes as numbers, in the memory of the file and not copied. Sections begin at multiples of 8. */
type Bytes = Uint8Array;

export const u16 = ({ buffer, byteOffset, length }: Bytes): Uint16Array =>
  new Uint16Array(buffer, byteOffset, length / 2);

export const u32 = ({ buffer, byteOffset, length }: Bytes): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length / 4);

export const i32 = ({ buffer, byteOffset, length }: Bytes): Int32Array =>
  new Int32Array(buffer, byteOffset, length / 4);

export const f32 = ({ buffer, byteOffset, length }: Bytes): Float32Array =>
  new Float32Array(buffer, byteOffset, length / 4);
