import { Link, Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './AppShell.module.css';
import { Navigation } from './Navigation.tsx';
import { useRestoredFocus } from './useRestoredFocus.ts';
import { registerServiceWorker } from '../serviceWorker/registerServiceWorker.ts';
import { toasts } from '../../components/overlays/toasts.ts';

/**
 * Layout of all signed-in pages: navigation and toolbar. `isBusy`: leaving the page would interrupt work, such as an
 * upload.
 */
export const AppShell = (props: {
  readonly toolbar: ReactNode;
  readonly isBusy: boolean;
  readonly children?: ReactNode;
}) => {
  const { toolbar, isBusy, children } = props;
  const { t } = useTranslation();
  useRestoredFocus();
  useNewVersion(isBusy);
  return (
    <div className={styles['shell']}>
      <a href="#content" className={styles['skip']}>
        {t('skipToContent')}
      </a>
      <header className={styles['bar']}>
        <Link to="/" className={styles['brand']} aria-label={t('appName')}>
          <img src="/icon.svg" alt="" width={32} height={32} />
          <span>{t('appName')}</span>
        </Link>
        {toolbar}
      </header>
      <Navigation />
      <main id="content" tabIndex={-1} className={styles['content']}>
        <Outlet />
      </main>
      {children}
    </div>
  );
};

/**
 * Registers the service worker and announces a new version. Waits while `isBusy`, because the update reloads the page.
 */
const useNewVersion = (isBusy: boolean): void => {
  const { t } = useTranslation();
  const [takeOver, setTakeOver] = useState<() => void>();
  useEffect(() => {
    // Delayed, so that its downloads do not compete with those of the page.
    const timer = setTimeout(() => {
      void registerServiceWorker((next) => setTakeOver(() => next)).catch(() => undefined);
    }, registerAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (takeOver === undefined || isBusy) return;
    const id = toasts.add({
      title: t('newVersion.title'),
      timeout: 0,
      actionProps: { children: t('newVersion.action'), onClick: takeOver },
    });
    return () => toasts.close(id);
  }, [takeOver, isBusy, t]);
};

const registerAfterMs = 3000;
