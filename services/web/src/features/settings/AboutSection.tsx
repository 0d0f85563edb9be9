import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { versionQuery } from './queries.ts';
import { Section } from '../../components/page/Section.tsx';

/** Which server one is at home on, and how apps of others find their way around it. */
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
      <p>
        <Trans t={t} i18nKey="aboutApps">
          Phones … <a href="/openapi.json">its description</a> names every call.
        </Trans>
      </p>
    </Section>
  );
};
