import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** Supported languages by their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'hearth-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && value in languages;

/** Returns the language chosen on this device, else the first supported language of the browser, else English. */
const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
};

const rememberLanguage = (language: Language): void => localStorage.setItem(storageKey, language);

/** Messages of a language by file. */
type Catalogue = Record<string, Record<string, unknown>>;

const catalogues: Readonly<Record<Language, () => Promise<{ readonly files: Catalogue }>>> = {
  en: () => import('../../locales/en.ts'),
  de: () => import('../../locales/de.ts'),
};

/** Loads messages by namespace: `albums` for `./en/albums.json`. `Messages` lists the namespaces. */
const loadMessages = async (language: Language): Promise<Catalogue> => {
  const { files } = await catalogues[language]();
  return Object.fromEntries(
    Object.entries(files).map(([path, messages]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), messages]),
  );
};

/** Initializes i18next. Messages are available when the promise resolves. */
export const startI18n = async (): Promise<void> => {
  const language = preferredLanguage();
  const messages = await loadMessages(language);
  await i18next.use(initReactI18next).init({
    lng: language,
    ns: Object.keys(messages),
    defaultNS: 'common',
    resources: { [language]: messages },
    // React escapes values.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
};

/** Switches the app's language and stores the choice on this device. */
export const changeLanguage = async (language: Language): Promise<void> => {
  for (const [namespace, texts] of Object.entries(await loadMessages(language)))
    i18next.addResourceBundle(language, namespace, texts);
  await i18next.changeLanguage(language);
  rememberLanguage(language);
  document.documentElement.lang = language;
};
