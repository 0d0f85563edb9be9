import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

/** The languages that the app speaks, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const storageKey = 'hearth-language';

const isLanguage = (value: string | null | undefined): value is Language =>
  value !== null && value !== undefined && value in languages;

/** The language that was chosen on this device, else the first of the browser's languages that the app speaks, else English. */
const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';
};

/** Keeps the choice on this device. */
const rememberLanguage = (language: Language): void => localStorage.setItem(storageKey, language);

/** The words of a language, by file. */
type Catalogue = Record<string, Record<string, unknown>>;

const catalogues: Readonly<Record<Language, () => Promise<{ readonly files: Catalogue }>>> = {
  en: () => import('../../locales/en.ts'),
  de: () => import('../../locales/de.ts'),
};

/** Loads the words of a language, each file by its name: `albums` for `./en/albums.json`. `Messages` lists them. */
const loadMessages = async (language: Language): Promise<Catalogue> => {
  const { files } = await catalogues[language]();
  return Object.fromEntries(
    Object.entries(files).map(([path, words]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), words]),
  );
};

/** Loads the catalogue of the preferred language; messages are there when it resolves. */
export const startI18n = async (): Promise<void> => {
  const language = preferredLanguage();
  const messages = await loadMessages(language);
  await i18next.use(initReactI18next).init({
    lng: language,
    ns: Object.keys(messages),
    defaultNS: 'common',
    resources: { [language]: messages },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
};

/** Changes the language of the whole app and remembers it on this device. */
export const changeLanguage = async (language: Language): Promise<void> => {
  for (const [namespace, texts] of Object.entries(await loadMessages(language)))
    i18next.addResourceBundle(language, namespace, texts);
  await i18next.changeLanguage(language);
  rememberLanguage(language);
  document.documentElement.lang = language;
};
