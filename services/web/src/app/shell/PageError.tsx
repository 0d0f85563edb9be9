import type { ErrorComponentProps } from '@tanstack/react-router';
import { CloudAlert } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { CodeUnavailableError } from '../../lib/browser/lazyComponent.ts';

/** Error boundary of a page. After a connection failure, it retries when the server is reachable again. */
export const PageError = ({ error, reset }: ErrorComponentProps) => {
  const { t } = useTranslation();
  const isCodeMissing = error instanceof CodeUnavailableError;
  const isUnreachable = isCodeMissing || (error instanceof ApiError && error.code === 'UNREACHABLE');
  const continueLoading = useEffectEvent(() => (isCodeMissing ? location.reload() : reset()));
  useEffect(() => {
    if (!isUnreachable) return undefined;
    const leaving = new AbortController();
    waitForServer(leaving.signal).then(
      () => continueLoading(),
      () => undefined,
    );
    return () => leaving.abort();
  }, [isUnreachable]);
  return (
    <EmptyState
      isPage
      icon={CloudAlert}
      title={t('failed.title')}
      action={
        // Browsers cache a failed module load until the page reloads.
        <Button variant="primary" onClick={isCodeMissing ? () => location.reload() : reset}>
          {t('tryAgain')}
        </Button>
      }
    >
      <p>{isUnreachable ? t('failed.unreachable') : t('failed.text')}</p>
    </EmptyState>
  );
};

const retryIntervalMs = 3000;

/**
 * Resolves when the server responds. Polls every few seconds, and at once when the browser is online again. @throws
 * when `signal` is aborted.
 */
const waitForServer = async (signal: AbortSignal): Promise<void> => {
  for (;;) {
    await pause(signal);
    signal.throwIfAborted();
    const isReachable = await fetch('/version', { cache: 'no-store', signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReachable) return;
  }
};

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      finish.abort();
      resolve();
    };
    const timer = setTimeout(end, retryIntervalMs);
    signal.addEventListener('abort', end, { signal: finish.signal });
    addEventListener('online', end, { signal: finish.signal });
  });
}
