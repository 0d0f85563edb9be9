import { CloudOff } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import styles from './ServerAway.module.css';

const retryEveryMs = 5000;

/** Says at the edge of a page that was opened while the server does not answer why so little is on it. It tries again by itself. */
export const ServerAway = ({ onRetry }: { readonly onRetry: () => void }) => {
  const { t } = useTranslation();
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const ending = new AbortController();
    const timer = setInterval(() => retry(), retryEveryMs);
    addEventListener('online', () => retry(), { signal: ending.signal });
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, []);
  return (
    <aside className={styles['bar']} aria-label={t('serverAway')}>
      <CloudOff aria-hidden size={22} />
      <p role="status">{t('failed.unreachable')}</p>
      <Button onClick={onRetry}>{t('tryAgain')}</Button>
    </aside>
  );
};
