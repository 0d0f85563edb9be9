import { useTranslation, Trans } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { AppearanceSection } from './AppearanceSection.tsx';
import { JobsSection } from './JobsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { ProcessingSection } from './ProcessingSection.tsx';
import styles from './SettingsPage.module.css';
import { formatBytes } from '../../lib/i18n/formats.ts';
import { diskQuery, versionQuery } from './queries.ts';
import { Meter } from '../../components/page/Meter.tsx';
import { usedBytes } from '../../lib/api/usedBytes.ts';
import { Section } from '../../components/page/Section.tsx';

/** Language, theme, storage, what is being processed, jobs, password and sessions. */
export const SettingsPage = () => {
  const { t } = useTranslation('settings');
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      <AppearanceSection />
      <StorageSection />
      <ProcessingSection />
      <JobsSection />
      <PasswordSection />
      <SessionsSection />
      <AboutSection />
    </div>
  );
};

/** The storage that is used and free. */
const StorageSection = () => {
  const { t, i18n } = useTranslation('settings');
  const { data: disk } = useQuery(diskQuery);
  const size = (bytes: number): string => formatBytes(bytes, i18n.language);
  if (disk === undefined) return null;
  const used = usedBytes(disk);
  return (
    <Section title={t('storage')}>
      {disk.total === undefined ? (
        <p>{t('storageUsed', { used: size(used) })}</p>
      ) : (
        <Meter
          value={used}
          max={disk.total}
          label={t('storageUsedOf', { used: size(used), total: size(disk.total) })}
          details={disk.free === undefined ? undefined : t('storageFree', { free: size(disk.free) })}
        />
      )}
    </Section>
  );
};

/** Which server one is at home on, and how apps of others find their way around it. */
const AboutSection = () => {
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
