/**
 * Returns for each word the index of the line that contains it, or -1. Spaces, accents and case are ignored, as in
 * search.
 * Each piece of text counts for one word only. Longer words are matched first, so that a word is not found inside
 * another expected word.
 */
export const compareWords = (words: readonly string[], lines: readonly string[]): readonly number[] => {
  const left = lines.map(foldWord);
  const found = words.map(() => -1);
  const longestFirst = [...words.keys()].toSorted((a, b) => words[b]!.length - words[a]!.length);
  for (const place of longestFirst) {
    const word = foldWord(words[place]!);
    const line = left.findIndex((each) => each.includes(word));
    if (line >= 0) left[line] = left[line]!.replace(word, '\n');
    found[place] = line;
  }
  return found;
};

/** Keeps only letters and digits, in lower case and without accents. */
const foldWord = (text: string): string =>
  text
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
