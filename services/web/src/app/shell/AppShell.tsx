import { Link, Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './AppShell.module.css';
import { Navigation } from './Navigation.tsx';
import { useKeptFocus } from './useKeptFocus.ts';
import { registerServiceWorker } from '../serviceWorker/registerServiceWorker.ts';
import { toasts } from '../../components/overlays/toasts.ts';

/**
 * What is around every page of a person who is signed in: navigation and a bar with what `toolbar` brings. `isBusy`: leaving the page would break
 * something off.
 */
export const AppShell = (props: {
  readonly toolbar: ReactNode;
  readonly isBusy: boolean;
  readonly children?: ReactNode;
}) => {
  const { toolbar, isBusy, children } = props;
  const { t } = useTranslation();
  useKeptFocus();
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

/** Keeps the app on this device, and says when there is a new version, though never while `isBusy`: its reload would break off what is under way. */
const useNewVersion = (isBusy: boolean): void => {
  const { t } = useTranslation();
  const [takeOver, setTakeOver] = useState<() => void>();
  useEffect(() => {
    // What it loads is none of what the page waits for.
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
