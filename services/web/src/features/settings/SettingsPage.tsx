import { useTranslation, Trans } from 'react-i18next';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { JobsSection } from './JobsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { ProcessingSection } from './ProcessingSection.tsx';
import styles from './SettingsPage.module.css';
import { formatBytes } from '../../lib/i18n/formats.ts';
import { diskQuery, versionQuery } from './queries.ts';
import { Button } from '../../components/controls/Button.tsx';
import { signOut } from '../../lib/api/session.ts';
import { Meter } from '../../components/page/Meter.tsx';
import { usedBytes } from '../../lib/api/usedBytes.ts';
import { Section } from '../../components/page/Section.tsx';

/** Layout of all settings pages: title, links to the pages, and the current page. */
export const SettingsPage = () => {
  const { t } = useTranslation('settings');
  const { pathname } = useLocation();
  const parts = useRef<HTMLElement>(null);
  // On a phone, the link to the current page may be outside the screen.
  useEffect(() => {
    parts.current?.querySelector(`[href="${pathname}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <div className={styles['page']}>
      <h1>{t('title')}</h1>
      <nav ref={parts} aria-label={t('title')} className={styles['parts']}>
        <Link to="/settings" activeOptions={{ exact: true }}>
          {t('parts.account')}
        </Link>
        <Link to="/settings/appearance">{t('parts.appearance')}</Link>
        <Link to="/settings/processing">{t('parts.processing')}</Link>
        <Link to="/settings/sessions">{t('parts.sessions')}</Link>
        <Link to="/settings/about">{t('parts.about')}</Link>
      </nav>
      <Outlet />
    </div>
  );
};

export const AccountSettings = () => {
  const { t } = useTranslation('session');
  return (
    <>
      <StorageSection />
      <PasswordSection />
      <Button className={styles['signOut']} onClick={() => void signOut()}>
        {t('signOut')}
      </Button>
    </>
  );
};

export const ProcessingSettings = () => (
  <>
    <ProcessingSection />
    <JobsSection />
  </>
);

/** Used and free storage. */
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

/** Version of the server, and a link to its API reference. */
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
          See <a href="/openapi.json">API reference</a>.
        </Trans>
      </p>
    </Section>
  );
};
