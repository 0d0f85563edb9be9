/** Minimum lengths of a word to allow one or two typos. */
const lengthForOneEdit = 4;
const lengthForTwoEdits = 8;

/** Returns the number of allowed typos. Words with digits allow none, because another digit is another number. */
export const allowedEdits = (word: string): number => {
  const { length } = Array.from(word);
  return /\d/.test(word) || length < lengthForOneEdit ? 0 : length < lengthForTwoEdits ? 1 : 2;
};

/**
 * Computes the Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of adjacent letters. Uses
 * the algorithm of Lowrance and Wagner (1975), which also allows an insertion between two swapped letters.
 */
export const countEdits = (a: string, b: string): number => {
  const [from, to] = [Array.from(a), Array.from(b)];
  // rows[i + 1][j + 1]: distance between the first i letters of one and the first j of the other. The border exceeds
  // any distance.
  const never = from.length + to.length;
  const rows = [Array<number>(to.length + 2).fill(never), [never, ...Array(to.length + 1).keys()]];
  const lastRows = new Map<string, number>();
  for (const [i, letter] of from.entries()) {
    const [above, current] = [rows[i + 1]!, [never, i + 1]];
    let lastColumn = 0;
    for (const [j, other] of to.entries()) {
      const lastRow = lastRows.get(other) ?? 0;
      const isSame = letter === other;
      current.push(
        Math.min(
          above[j + 2]! + 1,
          current[j + 1]! + 1,
          above[j + 1]! + (isSame ? 0 : 1),
          rows[lastRow]![lastColumn]! + (i - lastRow) + 1 + (j - lastColumn),
        ),
      );
      if (isSame) lastColumn = j + 1;
    }
    rows.push(current);
    lastRows.set(letter, i + 1);
  }
  return rows.at(-1)!.at(-1)!;
};
