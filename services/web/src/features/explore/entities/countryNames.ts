const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));

/** The codes of regions by their English names, as CLDR has them; made when first asked for. */
let codes: ReadonlyMap<string, string> | undefined;

const readCodes = (): ReadonlyMap<string, string> => {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = english.of(code);
    // Codes that are no longer used have the names of those that are; the earlier one is kept.
    if (name !== undefined && !found.has(name)) found.set(name, code);
  }
  return found;
};

/** The name of a country, which the API has in English, in another language; the English one where the browser knows no other. */
export const countryNameIn = (language: string, english: string): string => {
  codes ??= readCodes();
  const code = codes.get(english);
  return code === undefined ? english : (new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? english);
};
