/** Characters of a text that are shown around a word. */
const snippetLength = 120;

/** A text as words of a library are kept, as nearly as is needed to find one in it: lower case, no accents, no signs. */
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
 * The line of a text in which a folded word stands, around the word where the line is long; the beginning of the text where the word stands in no line as
 * it is, such as two words that were read as one.
 */
export const snippetOf = (content: string, word: string): string => {
  const lines = content.split('\n');
  const isIn = (line: string) => ` ${foldWord(line)} `.includes(` ${word} `);
  const isWithin = (line: string) => foldWord(line).replaceAll(' ', '').includes(word);
  const line = (lines.find(isIn) ?? lines.find(isWithin) ?? lines[0] ?? '').trim();
  const characters = Array.from(line);
  if (characters.length <= snippetLength) return line;
  const at = placeOf(line, word);
  const begin = Math.max(0, Math.min(at - snippetLength / 3, characters.length - snippetLength));
  const shown = characters
    .slice(Math.floor(begin), Math.floor(begin) + snippetLength)
    .join('')
    .trim();
  return `${begin > 0 ? '…' : ''}${shown}${begin + snippetLength < characters.length ? '…' : ''}`;
};

/** At which character of a line the word of it begins that is or has the folded one; 0 where none does. */
const placeOf = (line: string, word: string): number => {
  let at = 0;
  for (const part of line.split(/(\s+)/)) {
    if (foldWord(part).includes(word)) return at;
    at += Array.from(part).length;
  }
  return 0;
};
