import sharp from 'sharp';

/** Steps to undo EXIF orientations: mirror left to right, then rotate clockwise (EXIF 2.32, tag 0x0112). */
export const rotations: readonly { readonly mirrored: boolean; readonly degrees: number }[] = [
  { mirrored: false, degrees: 0 },
  { mirrored: true, degrees: 0 },
  { mirrored: false, degrees: 180 },
  { mirrored: true, degrees: 180 },
  { mirrored: true, degrees: 270 },
  { mirrored: false, degrees: 90 },
  { mirrored: true, degrees: 90 },
  { mirrored: false, degrees: 270 },
];

/** Draws a PNG that differs from all its mirrored and rotated versions. */
export async function drawPhoto(width: number, height: number): Promise<Buffer> {
  const sun = Math.round(Math.min(width, height) * 0.4);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="0.4">
      <stop offset="0" stop-color="#103060"/><stop offset="1" stop-color="#e0c090"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${width * 0.25}" cy="${height * 0.3}" r="${sun / 2}" fill="#fff4c0"/>
    <rect x="${width * 0.55}" y="${height * 0.6}" width="${width * 0.45}" height="${height * 0.4}" fill="#204010"/>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Encodes a JPEG that shows `upright` once EXIF `orientation` (1 to 8) is applied. */
export async function encodeWithOrientation(upright: Buffer, orientation: number): Promise<Buffer> {
  const { mirrored, degrees } = rotations[orientation - 1]!;
  const rotated = await sharp(upright).rotate(-degrees).png().toBuffer();
  return sharp(rotated).flop(mirrored).withMetadata({ orientation }).jpeg({ quality: 92 }).toBuffer();
}

/** Makes a progressive JPEG of noise in cells of 8 × 8. Its decoder holds the whole picture in memory. */
export async function makeProgressiveJpeg(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const cells = await sharp({
    create: { width: Math.ceil(width / 8), height: Math.ceil(height / 8), channels: 3, background: 'grey', noise },
  })
    .png()
    .toBuffer();
  return sharp(cells).resize(width, height, { kernel: 'nearest', fit: 'fill' }).jpeg({ progressive: true }).toBuffer();
}
