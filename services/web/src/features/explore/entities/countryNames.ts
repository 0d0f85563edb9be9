const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** Region codes by their English names in CLDR. Created on first use. */
let codes: ReadonlyMap<string, string> | undefined;

const readCodes = (): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = english.of(code);
    // Obsolete codes share names with current ones. Keeps the first in alphabetical order.
    if (name !== undefined && !found.has(name)) found.set(name, code);
  }
  return found;
};

/** Translates the English country name of the API. Returns it unchanged if the browser does not know it. */
export const translateCountry = (language: string, english: string): string => {
  codes ??= readCodes();
  const code = codes.get(english);
  return code === undefined ? english : (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? english);
};
