import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { registerServiceWorker } from '../serviceWorker/registerServiceWorker.ts';
import { toasts } from '../ui/toasts.ts';

/** Keeps the app on this device, and says when there is a new version, though never while `isBusy`: its reload would break off what is under way. */
export const useNewVersion = (isBusy: boolean): void => {
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
