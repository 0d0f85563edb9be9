import unhomoglyph from 'unhomoglyph';

/**
 * Returns a key for the appearance of a username. Two names with the same key count as one name, so that no one can
 * impersonate another user.
 *
 * Composes compatibility forms (NFKC), folds case, and maps confusable characters to one (skeleton of UTS 39). Ignores
 * invisible characters. An upper-case i looks like a lower-case L, and case does not count, so every i equals every L.
 */
export const toUsernameKey = (username: string): string =>
  foldCase(
    unhomoglyph(unhomoglyph(foldCase(username.normalize('NFKC').replaceAll(invisibleCharacters, ''))).normalize('NFD')),
  )
    .normalize('NFKC')
    .replaceAll('i', 'l')
    .slice(0, maxKeyLength);

/** Invisible characters, and those that only change the text direction. */
const invisibleCharacters = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** Keys are cut at this length, in characters, because some are several times longer than their name. */
const maxKeyLength = 512;

/**
 * Folds each letter alone, because the lower case of a Greek sigma depends on the next letter. Upper case first,
 * because it unifies more letters.
 */
const foldCase = (text: string): string =>
  Array.from(text, (letter) => Array.from(letter.toUpperCase(), (upper) => upper.toLowerCase()).join(''))
    .join('')
    // The Turkish İ, which databases fold to a plain i.
    .replaceAll('i\u0307', 'i');
