import { useTranslation } from 'react-i18next';
import { AboutSection } from './AboutSection.tsx';
import { AppearanceSection } from './AppearanceSection.tsx';
import { JobsSection } from './JobsSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { ProcessingSection } from './ProcessingSection.tsx';
import styles from './SettingsPage.module.css';
import { StorageSection } from './StorageSection.tsx';

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
