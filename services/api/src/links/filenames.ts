import { maxFilenameLength } from '@hearth/contract/limits.ts';

/** Replaces an unusable filename. */
const nameless = 'unnamed';

/**
 * Cleans a client's filename for storage, display and download: one line of 1 to 255 characters in Unicode NFC, without
 * invisible characters. Cuts a long name before its extension.
 */
export const cleanFilename = (given: string): string => {
  const name = toVisibleName(given.toWellFormed().normalize('NFC')).trim();
  const characters = Array.from(name);
  if (characters.length <= maxFilenameLength) return name === '' || name === '.' || name === '..' ? nameless : name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, maxFilenameLength - extension.length).join('') + extension;
};

/**
 * Invisible characters and bidirectional controls: with U+202E, `gpj.exe` reads as `exe.jpg`. Keeps joiners of scripts
 * and emoji, and variation selectors.
 */
const hidden =
  /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]--[\p{Join_Control}\p{Variation_Selector}]]/gv;

/** Joiners without effect: next to an ASCII character, or at either end. */
const idleJoiners = /(?<=^|\p{ASCII})\p{Join_Control}+|\p{Join_Control}+(?=\p{ASCII}|$)/gu;

/** Printable ASCII. A fast path, because a page shows hundreds of names and most are ASCII. */
const plain = /^[ -~]*$/;

export const toVisibleName = (name: string): string =>
  plain.test(name) ? name : name.replaceAll(hidden, '').replaceAll(idleJoiners, '');

/**
 * Builds `Content-Disposition` (RFC 6266): a browser shows the file, and saves it under its uploaded name without
 * invisible characters.
 */
export const contentDisposition = (filename: string | undefined): string =>
  filename === undefined
    ? 'inline'
    : `inline; filename*=UTF-8''${encodeURIComponent(toVisibleName(filename)).replaceAll(/['()*]/g, percentEncode)}`;

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
