/** Chance that a seed fixes: the same calls in the same order give the same answers. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number;
  between(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** The items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[];
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty to choose moments and victims. */
export const createRandom = (seed: number): Random => {
  let state = seed | 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    fraction,
    between: (low, high) => low + fraction() * (high - low),
    pick: <Item>(items: readonly Item[]) => items[Math.floor(fraction() * items.length)]!,
    shuffle: (items) =>
      items
        .map((item) => ({ item, rank: fraction() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ item }) => item),
  };
};
