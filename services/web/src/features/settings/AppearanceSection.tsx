import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { applyTheme, chosenTheme, themes } from '../../lib/browser/theme.ts';
import { changeLanguage, languages, type Language } from '../../lib/i18n/i18n.ts';
import { ChoiceGroup } from '../../components/controls/ChoiceGroup.tsx';
import { Section } from '../../components/page/Section.tsx';

export const AppearanceSection = () => {
  const { t, i18n } = useTranslation('settings');
  const [theme, setTheme] = useState(chosenTheme);
  const names = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') };
  return (
    <Section title={t('appearance')} hint={t('appearanceHint')}>
      <ChoiceGroup
        label={t('language')}
        value={i18n.language as Language}
        choices={Object.entries(languages).map(([value, label]) => ({ value: value as Language, label }))}
        onChange={(language) => void changeLanguage(language)}
      />
      <ChoiceGroup
        label={t('theme')}
        value={theme}
        choices={themes.map((value) => ({ value, label: names[value] }))}
        onChange={(chosen) => {
          applyTheme(chosen);
          setTheme(chosen);
        }}
      />
    </Section>
  );
};
