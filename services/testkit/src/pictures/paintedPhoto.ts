import sharp from 'sharp';

/** Makes a JPEG of `width`×`height` pixels with the shapes of an SVG. It has no text, because a machine may have no fonts. */
export const paintPhoto = (width: number, height: number, shapes: string): Promise<Buffer> =>
  sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`))
    .flatten({ background: '#808080' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();

/** Letters of straight strokes in a box of 4×6 units. */
const strokes: Readonly<Record<string, string>> = {
  A: 'M0 6 L2 0 L4 6 M1 4 L3 4',
  E: 'M4 0 L0 0 L0 6 L4 6 M0 3 L3 3',
  F: 'M4 0 L0 0 L0 6 M0 3 L3 3',
  H: 'M0 0 L0 6 M4 0 L4 6 M0 3 L4 3',
  I: 'M2 0 L2 6',
  L: 'M0 0 L0 6 L4 6',
  M: 'M0 6 L0 0 L2 4 L4 0 L4 6',
  N: 'M0 6 L0 0 L4 6 L4 0',
  T: 'M0 0 L4 0 M2 0 L2 6',
  V: 'M0 0 L2 6 L4 0',
};

/**
 * Paints one line of capital letters, black on white, 60 pixels high.
 * @throws Error for a letter without strokes
 */
export const paintSign = (word: string): Promise<Buffer> => {
  const unit = 10;
  const letters = Array.from(word, (letter, nth) => {
    const path = strokes[letter];
    if (path === undefined) throw new Error(`no strokes defined for ${letter}`);
    return `<path transform="translate(${8 + nth * 6} 8)" d="${path}"/>`;
  });
  const [width, height] = [(word.length * 6 + 14) * unit, 22 * unit];
  return paintPhoto(
    width,
    height,
    `<rect width="100%" height="100%" fill="white"/>
    <g transform="scale(${unit})" fill="none" stroke="black" stroke-width="1" stroke-linejoin="round">${letters.join('')}</g>`,
  );
};
