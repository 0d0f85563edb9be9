/**
 * For each of the words the line in which it was read, by its place; -1 where it was not. However the text was parted by spaces, and without accents
 * and case, as search takes it. Each stretch of what was read counts for one word, the longest first, so that a word is not found within another one
 * that stands there itself.
 */
export const readWords = (words: readonly string[], lines: readonly string[]): readonly number[] => {
  const left = lines.map(fold);
  const found = words.map(() => -1);
  const longestFirst = [...words.keys()].toSorted((a, b) => words[b]!.length - words[a]!.length);
  for (const place of longestFirst) {
    const word = fold(words[place]!);
    const line = left.findIndex((each) => each.includes(word));
    if (line >= 0) left[line] = left[line]!.replace(word, '\n');
    found[place] = line;
  }
  return found;
};

/** Letters and digits alone, without accents, in lower case. */
const fold = (text: string): string =>
  text
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
