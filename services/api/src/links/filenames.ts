import { maxFilenameLength } from '@hearth/contract/limits.ts';

/** The name of a file whose client gave no usable name. */
const nameless = 'unnamed';

/**
 * A client's file name, made fit to be stored, shown and saved under: one line of 1 to 255 characters in Unicode NFC, without invisible
 * characters. A name that is too long is cut before its extension.
 */
export const cleanFilename = (given: string): string => {
  const name = visibleName(given.toWellFormed().normalize('NFC')).trim();
  const characters = Array.from(name);
  if (characters.length <= maxFilenameLength) return name === '' || name === '.' || name === '..' ? nameless : name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, maxFilenameLength - extension.length).join('') + extension;
};

/**
 * Invisible characters, and those that reverse the order of letters: after U+202E `gpj.exe` reads as `exe.jpg`. Joiners of scripts and emoji and
 * variation selectors are kept.
 */
const hidden =
  /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\p{Join_Control}\p{Variation_Selector}]]/gv;

/** Joiners without effect: next to an ASCII character, or at an end of the name. */
const idleJoiners = /(?<=^|\p{ASCII})\p{Join_Control}+|\p{Join_Control}+(?=\p{ASCII}|$)/gu;

/** Names of printable ASCII alone. Most names are, and a page shows hundreds. */
const plain = /^[ -~]*$/;

/** A name without invisible characters. */
export const visibleName = (name: string): string =>
  plain.test(name) ? name : name.replaceAll(hidden, '').replaceAll(idleJoiners, '');

/** `Content-Disposition` (RFC 6266): a browser shows the file, and saves it under its uploaded name without invisible characters. */
export const contentDisposition = (filename: string | undefined): string =>
  filename === undefined
    ? 'inline'
    : `inline; filename*=UTF-8''${encodeURIComponent(visibleName(filename)).replaceAll(/['()*]/g, percentEncode)}`;

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
