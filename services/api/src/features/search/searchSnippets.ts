/** Maximum length of a snippet, in characters, without the ellipses. */
const snippetLength = 120;

/** Folds text approximately like the words of a library: lower case, no accents, no punctuation. */
export const foldWord = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * Returns the line that contains a folded word, shortened around the word if long. The word may join several words of the
 * line. Returns the first line if no line contains the word.
 */
export const findSnippet = (content: string, word: string): string => {
  const lines = content.split('\n');
  const hasWord = (line: string) => ` ${foldWord(line)} `.includes(` ${word} `);
  const hasJoinedWord = (line: string) => foldWord(line).replaceAll(' ', '').includes(word);
  const line = (lines.find(hasWord) ?? lines.find(hasJoinedWord) ?? lines[0] ?? '').trim();
  const characters = Array.from(line);
  if (characters.length <= snippetLength) return line;
  const at = findWord(line, word);
  const begin = Math.max(0, Math.min(at - snippetLength / 3, characters.length - snippetLength));
  const shown = characters
    .slice(Math.floor(begin), Math.floor(begin) + snippetLength)
    .join('')
    .trim();
  return `${begin > 0 ? '…' : ''}${shown}${begin + snippetLength < characters.length ? '…' : ''}`;
};

/** Returns the character index of the word that contains the folded one, or 0. */
const findWord = (line: string, word: string): number => {
  let at = 0;
  for (const part of line.split(/(\s+)/)) {
    if (foldWord(part).includes(word)) return at;
    at += Array.from(part).length;
  }
  return 0;
};
