/**
 * A ThumbHash with as few details as the format has room for: 17 bytes, three of them the same in all, instead of about 25. Its colours and the
 * lowest frequencies of its brightness are left. The format (Evan Wallace, https://evanw.github.io/thumbhash/; `thumbHashToRGBA` of the package
 * `thumbhash` 0.1.1) gives the brightness seven frequencies along the longer side; so the short hash calls every picture upright, of three by
 * seven frequencies, with nothing in the upper four. What it says of the ratio of the sides means nothing. Undefined for what is no ThumbHash.
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

/** Bytes before the frequencies, where there is no transparency. */
const begin5 = 5;

/** Frequencies, of four bits each: of the brightness, three by seven; of the two colours, three by three; of the transparency, five by five. */
const [brightness, colours, alphas] = [14, 10, 14];

/** Of the sixteen steps between -1 and 1 there is none at 0: the two beside it in turn, which makes all such bytes the same. */
const nothing = (nth: number): number => (nth % 2 === 0 ? 7 : 8);

interface Frequencies {
  readonly count: number;
  /** Where in the hash the frequencies stand that are kept, in the order of the short hash. */
  readonly kept: readonly (number | undefined)[];
}

const known = new Map<number, Frequencies>();

/** Those of a brightness of so many columns and rows, in the order in which they stand in a hash: row by row, below the diagonal. */
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
