/** How much of what stands in a picture was read. */
export interface ReadWords {
  readonly expected: number;
  readonly missed: readonly string[];
}

/**
 * Which of the words were read, however the text was parted by spaces, and without accents and case, as search takes it. Each stretch of what was read
 * counts for one word, the longest first, so that a word is not found within another one that stands there itself.
 */
export const readWords = (words: readonly string[], lines: readonly string[]): ReadWords => {
  const left = lines.map(fold);
  const missed = words
    .toSorted((a, b) => b.length - a.length)
    .filter((word) => {
      const folded = fold(word);
      const line = left.findIndex((each) => each.includes(folded));
      if (line >= 0) left[line] = left[line]!.replace(folded, '\n');
      return line < 0;
    });
  return { expected: words.length, missed };
};

/** Letters and digits alone, without accents, in lower case. */
const fold = (text: string): string =>
  text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
