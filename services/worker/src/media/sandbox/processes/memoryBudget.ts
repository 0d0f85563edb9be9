/** Memory limit that several child processes share. */
export interface MemoryBudget {
  /** Records the resident bytes of a child. Returns true if all children together exceed the budget, and this one uses the most. */
  isExceededBy(child: object, residentBytes: number): boolean;
  /** Removes a child that is no longer watched. */
  forget(child: object): void;
}

/** Creates a budget. It reports only the largest child, so that a malicious file does not affect small children. */
export const createMemoryBudget = (bytes: number): MemoryBudget => {
  const used = new Map<object, number>();
  return {
    isExceededBy: (child, residentBytes) => {
      used.set(child, residentBytes);
      let sum = 0;
      for (const each of used.values()) sum += each;
      return sum > bytes && residentBytes === Math.max(...used.values());
    },
    forget: (child) => void used.delete(child),
  };
};
