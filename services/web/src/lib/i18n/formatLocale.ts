/**
 * By which locale dates and numbers are written in a language of the app: the browser's own of that language, so that whoever reads English in
 * Britain does not get American dates; else the language alone.
 */
export const formatLocale = (language: string): string =>
  navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
