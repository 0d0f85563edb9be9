/** Characters from which on a word may have been mistyped in one place, and in two. */
const lengthForOneEdit = 4;
const lengthForTwoEdits = 8;

/** In how many places a word may have been mistyped: words of letters only, since other digits are another number. */
export const allowedEdits = (word: string): number => {
  const { length } = Array.from(word);
  return /\d/.test(word) || length < lengthForOneEdit ? 0 : length < lengthForTwoEdits ? 1 : 2;
};

/**
 * How many letters must be added, left out, replaced, or swapped with the next one, to make one word of the other: the distance of Damerau
 * and Levenshtein, by the algorithm of Lowrance and Wagner (1975), which also finds a letter that was added between two swapped ones.
 */
export const countEdits = (a: string, b: string): number => {
  const [from, to] = [Array.from(a), Array.from(b)];
  // rows[i + 1][j + 1]: edits between the first i letters of one and the first j of the other; around them stands more than any result.
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
