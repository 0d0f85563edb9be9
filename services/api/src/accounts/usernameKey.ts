import unhomoglyph from 'unhomoglyph';

/**
 * What a user name looks like: two names with one key are one name. Compatibility forms are composed (NFKC), case is folded, and what looks
 * alike becomes one, by Unicode's list of confusable characters (UTS 39, the skeleton), so that nobody can pass for somebody else; what nobody sees
 * does not count. An upper-case i looks like a lower-case L, so these two letters are one as well.
 */
export const usernameKey = (username: string): string =>
  foldCase(unhomoglyph(unhomoglyph(foldCase(username.normalize('NFKC').replaceAll(unseen, ''))).normalize('NFD')))
    .normalize('NFKC')
    .replaceAll('i', 'l')
    .slice(0, maxKeyLength);

/** What nobody sees in a name, or what only turns the order of its letters round. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** Characters of a key: some names become several times as long; what comes behind makes no difference. */
const maxKeyLength = 512;

/** Letter by letter, since the lower case of a Greek sigma depends on what follows; by way of the upper case, since it joins more. */
const foldCase = (text: string): string =>
  Array.from(text, (letter) => Array.from(letter.toUpperCase(), (upper) => upper.toLowerCase()).join(''))
    .join('')
    // The Turkish İ, which databases fold to a plain i.
    .replaceAll('i\u0307', 'i');
