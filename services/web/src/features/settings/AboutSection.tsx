import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { versionQuery } from './queries.ts';
import { Section } from '../../ui/Section.tsx';

/** Which server one is at home on. */
export const AboutSection = () => {
  const { t } = useTranslation('settings');
  const { data: version } = useQuery(versionQuery);
  if (version === undefined) return null;
  return (
    <Section title={t('about')}>
      <p>
        {version.gitSha === undefined
          ? t('aboutVersion', { version: version.version })
          : t('aboutCommit', { version: version.version, commit: version.gitSha.slice(0, 10) })}
      </p>
    </Section>
  );
};
