/** Random choices that a seed fixes. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** The choices of one case of a run: the same for the same two numbers, and unlike those of its neighbours. */
export const createRandom = (seed: number, caseNumber: number): Random => {
  let state = Math.imul(seed ^ Math.imul(caseNumber + 1, 0x9e37_79b9), 0x85eb_ca6b) >>> 0;
  /** Mulberry32: 32 bits of state, which is plenty for choosing among mutations. */
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return {
    below,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: (list) => {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[below(list.length)]!;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};
