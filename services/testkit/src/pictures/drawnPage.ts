import sharp from 'sharp';

/** Draws a page or sign with these lines in a system font, black on white, as a PNG. `lineHeight` is in pixels. */
export const drawPage = async (lines: readonly string[], lineHeight: number): Promise<Buffer> => {
  const longest = Math.max(...lines.map((line) => line.length));
  const [width, height] = [Math.round(longest * lineHeight * 0.5) + 2 * lineHeight, (lines.length + 2) * lineHeight];
  const texts = lines.map(
    (line, nth) => `<text x="${lineHeight}" y="${(nth + 1.8) * lineHeight}">${line.replaceAll('&', '&amp;')}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="${0.7 * lineHeight}"><rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
};
