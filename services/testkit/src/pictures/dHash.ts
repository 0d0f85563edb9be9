import sharp, { type SharpInput } from 'sharp';

/** Computes the difference hash of a picture, 64 bits. Each bit says if a cell of the picture scaled to 9 × 8 grey pixels is darker than the next. */
export async function computeDHash(picture: SharpInput): Promise<bigint> {
  // Decoders asked for 9 × 8 pixels may use faster approximations; PNG has none.
  const whole = await sharp(picture, { failOn: 'none', unlimited: true })
    .flatten({ background: 'white' })
    .greyscale()
    .png({ compressionLevel: 0 })
    .toBuffer();
  const grey = await sharp(whole).resize(9, 8, { fit: 'fill' }).raw().toBuffer();
  let hash = 0n;
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const cell = row * 9 + column;
      hash = (hash << 1n) | (grey[cell]! < grey[cell + 1]! ? 1n : 0n);
    }
  }
  return hash;
}

/** Returns the number of bits, of 64, in which two hashes differ. Unrelated pictures differ in about 32, rotated ones in 20 or more. */
export function hashDistance(a: bigint, b: bigint): number {
  return (a ^ b).toString(2).replaceAll('0', '').length;
}
