import { visibleName } from './visibleName.ts';

/** Shown in the page, saved under the name it was uploaded with (RFC 6266), without what nobody sees of that. */
export const contentDisposition = (filename: string | undefined): string =>
  filename === undefined
    ? 'inline'
    : `inline; filename*=UTF-8''${encodeURIComponent(visibleName(filename)).replaceAll(/['()*]/g, percentEncode)}`;

const percentEncode = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
