/**
 * Reduces a ThumbHash to the fewest details that the format allows: 17 bytes instead of about 25, three of them
 * constant. Keeps the colours and the lowest frequencies of brightness. The format (Evan Wallace,
 * https://evanw.github.io/thumbhash/; `thumbHashToRGBA` of the package `thumbhash` 0.1.1) has seven brightness
 * frequencies along the longer side. So the short hash declares every picture as portrait with 3 × 7 frequencies and
 * leaves the upper four empty; its aspect ratio is meaningless. Returns undefined if the text is too short for a ThumbHash.
 */
export const shortThumbHash = (base64: string): string | undefined => {
  const hash = Buffer.from(base64, 'base64');
  const hasAlpha = hash[2]! >> 7 === 1;
  const isLandscape = hash[4]! >> 7 === 1;
  const [shorter, longer] = [Math.max(3, hash[3]! & 7), hasAlpha ? 5 : 7];
  const { count, kept } = isLandscape ? getFrequencies(longer, shorter) : getFrequencies(shorter, longer);
  const begin = hasAlpha ? 6 : 5;
  if (hash.length < begin + Math.ceil((count + colours + (hasAlpha ? alphas : 0)) / 2)) return undefined;

  const short = Buffer.alloc(headerBytes + (brightness + colours) / 2);
  // Copies the averages and scales. Replaces the flags: no alpha, 3 frequencies along the shorter side, portrait.
  short.set([hash[0]!, hash[1]!, hash[2]! & 0x7f, (hash[3]! & 0xf8) | 3, hash[4]! & 0x7f]);
  const write = (nth: number, value: number): void => {
    short[headerBytes + (nth >> 1)]! |= value << ((nth & 1) << 2);
  };
  const read = (nth: number): number => (hash[begin + (nth >> 1)]! >> ((nth & 1) << 2)) & 15;
  for (let nth = 0; nth < brightness; nth++) {
    const from = kept[nth];
    write(nth, from === undefined ? encodeZero(nth) : read(from));
  }
  for (let nth = 0; nth < colours; nth++) write(brightness + nth, read(count + nth));
  return short.toString('base64');
};

/** Bytes before the frequencies of a hash without alpha. */
const headerBytes = 5;

/** Numbers of 4-bit coefficients of brightness (3 × 7), of both colours (3 × 3 each) and of alpha (5 × 5). */
const [brightness, colours, alphas] = [14, 10, 14];

/**
 * Encodes a frequency of zero. None of the 16 steps from -1 to 1 is 0, so this alternates between the two nearest, which
 * makes these bytes constant.
 */
const encodeZero = (nth: number): number => (nth % 2 === 0 ? 7 : 8);

interface Frequencies {
  /** Number of brightness coefficients in the hash. */
  readonly count: number;
  /** Positions in the hash of the coefficients to keep, in the order of the short hash. */
  readonly kept: readonly (number | undefined)[];
}

const cache = new Map<number, Frequencies>();

/**
 * Finds the brightness coefficients of a hash with this many columns and rows. A hash lists them by row, below the
 * diagonal.
 */
const getFrequencies = (columns: number, rows: number): Frequencies => {
  const found = cache.get(columns * 8 + rows);
  if (found !== undefined) return found;
  const places: string[] = [];
  for (let y = 0; y < rows; y++)
    for (let x = y === 0 ? 1 : 0; x * rows < columns * (rows - y); x++) places.push(`${x},${y}`);
  const kept = ['1,0', '2,0', '0,1', '1,1', '2,1', '0,2', '1,2', '2,2'].map((place) => {
    const at = places.indexOf(place);
    return at === -1 ? undefined : at;
  });
  const frequencies = { count: places.length, kept };
  cache.set(columns * 8 + rows, frequencies);
  return frequencies;
};
