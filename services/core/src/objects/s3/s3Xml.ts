import { StoreError } from '../objectErrors.ts';

/**
 * Returns the text of the first element with this name, or an empty string. Searching for tags is enough, because S3's
 * responses are flat.
 */
export const getElementText = (xml: string, name: string): string => {
  const start = xml.indexOf(`<${name}>`) + name.length + 2;
  const end = xml.indexOf(`</${name}>`, start);
  return start < name.length + 2 || end < 0 ? '' : unescape(xml.slice(start, end));
};

/**
 * Returns the inner XML of each element with this name. Takes linear time, unlike a regular expression. @throws
 * StoreError for an unclosed element
 */
export const listElements = (xml: string, name: string): string[] => {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const found: string[] = [];
  for (let from = xml.indexOf(opening); from >= 0; from = xml.indexOf(opening, from)) {
    const end = xml.indexOf(closing, from);
    if (end < 0) throw new StoreError(`unclosed element <${name}> in the response`);
    found.push(xml.slice(from + opening.length, end));
    from = end + closing.length;
  }
  return found;
};

/** Returns true if the root of the document has this name. */
export const isElement = (xml: string, name: string): boolean =>
  new RegExp(`^\\s*(?:<\\?[^>]*\\?>\\s*)?<${name}[\\s>/]`).test(xml);

export const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) =>
        name === undefined ? String.fromCodePoint(Number(decimal ?? `0x${hex}`)) : (entities[name] ?? whole),
      )
    : text;
