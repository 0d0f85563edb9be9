import { maxFilenameLength } from '@hearth/contract/limits.ts';
import { visibleName } from './visibleName.ts';

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
