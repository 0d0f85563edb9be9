/** Pseudo-random generator: the same calls in the same order return the same values. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number;
  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number;
  between(low: number, high: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Returns the items in random order. */
  shuffle<T>(list: readonly T[]): T[];
  bytes(length: number): Buffer;
}

/** Creates a generator for a seed, or for one case of a run. Neighbouring cases get independent values. */
export const createRandom = (seed: number, caseNumber?: number): Random => {
  let state =
    caseNumber === undefined ? seed >>> 0 : Math.imul(seed ^ Math.imul(caseNumber + 1, 0x9e37_79b9), 0x85eb_ca6b) >>> 0;
  /** Mulberry32 (Tommy Ettinger, public domain). 32 bits of state are enough to choose times and mutations. */
  const fraction = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    between: (low, high) => low + fraction() * (high - low),
    chance: (probability) => fraction() < probability,
    pick: (list) => {
      if (list.length === 0) throw new RangeError('empty list');
      return list[below(list.length)]!;
    },
    shuffle: (list) =>
      list
        .map((item) => ({ item, rank: fraction() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};
