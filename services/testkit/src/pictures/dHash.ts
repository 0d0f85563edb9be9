import sharp, { type SharpInput } from 'sharp';

/** The difference hash of a picture: 64 bits, each telling whether a cell of its 9 × 8 grey miniature is darker than the next. */
export async function dHash(picture: SharpInput): Promise<bigint> {
  // A decoder that is asked for 9 × 8 pixels takes short cuts of its own; a PNG has none to take.
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

/** The number of bits, of 64, in which two hashes differ; unrelated pictures differ in about 32, a turned one in 20 or more. */
export function hashDistance(a: bigint, b: bigint): number {
  return (a ^ b).toString(2).replaceAll('0', '').length;
}
