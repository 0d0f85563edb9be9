/**
 * A ThumbHash with the fewest details that the format allows: 17 bytes instead of about 25, three of which are the same in every hash. It keeps
 * the colours and the lowest frequencies of the brightness. The format (Evan Wallace, https://evanw.github.io/thumbhash/; `thumbHashToRGBA` of the package
 * `thumbhash` 0.1.1) gives the brightness seven frequencies along the longer side; so the short hash calls every picture upright, of three by
 * seven frequencies, with nothing in the upper four. Its ratio of sides means nothing. Undefined if the text is no ThumbHash.
 */
export const shortThumbHash = (base64: string): string | undefined => {
  const hash = Buffer.from(base64, 'base64');
  const hasAlpha = hash[2]! >> 7 === 1;
  const isLandscape = hash[4]! >> 7 === 1;
  const [shorter, longer] = [Math.max(3, hash[3]! & 7), hasAlpha ? 5 : 7];
  const { count, kept } = isLandscape ? frequenciesOf(longer, shorter) : frequenciesOf(shorter, longer);
  const begin = hasAlpha ? 6 : 5;
  if (hash.length < begin + Math.ceil((count + colours + (hasAlpha ? alphas : 0)) / 2)) return undefined;

  const short = Buffer.alloc(begin5 + (brightness + colours) / 2);
  // The averages and the strength of the brightness; then three frequencies, upright, and the strengths of the colours.
  short.set([hash[0]!, hash[1]!, hash[2]! & 0x7f, (hash[3]! & 0xf8) | 3, hash[4]! & 0x7f]);
  const write = (nth: number, value: number): void => {
    short[begin5 + (nth >> 1)]! |= value << ((nth & 1) << 2);
  };
  const read = (nth: number): number => (hash[begin + (nth >> 1)]! >> ((nth & 1) << 2)) & 15;
  for (let nth = 0; nth < brightness; nth++) {
    const from = kept[nth];
    write(nth, from === undefined ? nothing(nth) : read(from));
  }
  for (let nth = 0; nth < colours; nth++) write(brightness + nth, read(count + nth));
  return short.toString('base64');
};

/** Bytes before the frequencies of a hash without transparency. */
const begin5 = 5;

/** How many frequencies, of four bits each, the brightness (3 × 7), both colours (3 × 3 each) and the transparency (5 × 5) have. */
const [brightness, colours, alphas] = [14, 10, 14];

/** A frequency of zero: none of the 16 steps from -1 to 1 is 0, so the two nearest ones take turns, which makes all these bytes the same. */
const nothing = (nth: number): number => (nth % 2 === 0 ? 7 : 8);

interface Frequencies {
  readonly count: number;
  /** The positions in the hash of the frequencies to keep, in the order of the short hash. */
  readonly kept: readonly (number | undefined)[];
}

const known = new Map<number, Frequencies>();

/** The frequencies of a brightness with this many columns and rows. A hash lists them row by row, below the diagonal. */
const frequenciesOf = (columns: number, rows: number): Frequencies => {
  const found = known.get(columns * 8 + rows);
  if (found !== undefined) return found;
  const places: string[] = [];
  for (let y = 0; y < rows; y++)
    for (let x = y === 0 ? 1 : 0; x * rows < columns * (rows - y); x++) places.push(`${x},${y}`);
  const kept = ['1,0', '2,0', '0,1', '1,1', '2,1', '0,2', '1,2', '2,2'].map((place) => {
    const at = places.indexOf(place);
    return at === -1 ? undefined : at;
  });
  const made = { count: places.length, kept };
  known.set(columns * 8 + rows, made);
  return made;
};
