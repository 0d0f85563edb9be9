/** The languages that the app speaks, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'hearth-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && value in languages;

/** The language that was chosen on this device, else the first of the browser's languages that the app speaks, else English. */
export const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
};

/** Keeps the choice on this device. */
export const rememberLanguage = (language: Language): void => localStorage.setItem(storageKey, language);
