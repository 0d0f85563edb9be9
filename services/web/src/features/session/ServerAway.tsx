import { CloudOff } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

const retryEveryMs = 5000;

/** Shown when the app has opened and the server does not answer. It tries again by itself. */
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
    <main>
      <EmptyState
        isPage
        icon={CloudOff}
        title={t('failed.unreachable')}
        action={<Button onClick={onRetry}>{t('tryAgain')}</Button>}
      />
    </main>
  );
};
