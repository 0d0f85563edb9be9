import { visibleName } from './visibleName.ts';

/** `Content-Disposition` (RFC 6266): a browser shows the file, and saves it under its uploaded name without invisible characters. */
export const contentDisposition = (filename: string | undefined): string =>
  filename === undefined
    ? 'inline'
    : `inline; filename*=UTF-8''${encodeURIComponent(visibleName(filename)).replaceAll(/['()*]/g, percentEncode)}`;

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
