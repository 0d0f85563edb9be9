import sharp, { type SharpInput } from 'sharp';

/**
 * Computes the difference hash of a picture, 64 bits. A bit is 1 if a cell of the picture, scaled to 9 × 8 grey pixels, is
 * darker than the next cell.
 */
export async function computeDHash(picture: SharpInput): Promise<bigint> {
  // Decodes to PNG first. Decoders that scale to 9 × 8 pixels themselves may use faster approximations.
  const png = await sharp(picture, { failOn: 'none', unlimited: true })
    .flatten({ background: 'white' })
    .greyscale()
    .png({ compressionLevel: 0 })
    .toBuffer();
  const grey = await sharp(png).resize(9, 8, { fit: 'fill' }).raw().toBuffer();
  let hash = 0n;
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const cell = row * 9 + column;
      hash = (hash << 1n) | (grey[cell]! < grey[cell + 1]! ? 1n : 0n);
    }
  }
  return hash;
}

/** Returns the number of differing bits of two hashes, 0 to 64: about 32 for unrelated pictures, 20 or more after rotation. */
export function hashDistance(a: bigint, b: bigint): number {
  return (a ^ b).toString(2).replaceAll('0', '').length;
}
