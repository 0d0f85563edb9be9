import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { preferredLanguage, rememberLanguage, type Language } from './languages.ts';
import { namespaces, type Messages } from '../../locales/namespaces.ts';

const catalogues: Readonly<Record<Language, () => Promise<{ readonly messages: Messages }>>> = {
  en: () => import('../../locales/en.ts'),
  de: () => import('../../locales/de.ts'),
};

/** Loads the catalogue of the preferred language; messages are there when it resolves. */
export const startI18n = async (): Promise<void> => {
  const language = preferredLanguage();
  const { messages } = await catalogues[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    ns: namespaces,
    defaultNS: 'common',
    resources: { [language]: { ...messages } },
    // React escapes what it renders.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
};

/** Changes the language of the whole app and remembers it on this device. */
export const changeLanguage = async (language: Language): Promise<void> => {
  const { messages } = await catalogues[language]();
  for (const [namespace, texts] of Object.entries(messages)) i18next.addResourceBundle(language, namespace, texts);
  await i18next.changeLanguage(language);
  rememberLanguage(language);
  document.documentElement.lang = language;
};
