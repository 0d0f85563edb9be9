import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, type ReactNode, useEffectEvent } from 'react';
import { CloudOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { resumeSession } from '../../lib/api/session.ts';
import { useSession } from '../../lib/api/useSession.ts';
import { LiveLibrary } from './libraryRefresh.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import { Button } from '../../components/controls/Button.tsx';
import styles from './RequireSession.module.css';

const EndedSession = lazyComponent('EndedSession', () => import('./EndedSession.tsx'));
const SignInForm = lazyComponent('SignInForm', () => import('./SignInForm.tsx'));

/**
 * Shows `children` to a signed-in user, and otherwise the sign-in form. When the session ended elsewhere, the page
 * stays mounted behind the form, with its scroll position and input. While the server is unreachable, the page shows
 * what this device has cached for the last user.
 */
export const RequireSession = ({ children }: { readonly children: ReactNode }) => {
  const session = useSession();
  const queryClient = useQueryClient();
  const wasInterrupted = useRef(false);
  useEffect(() => {
    if (session.kind === 'unknown') void resumeSession();
    if (session.kind === 'ended' || session.kind === 'unreachable') wasInterrupted.current = true;
    if (session.kind === 'signedIn' && wasInterrupted.current) {
      wasInterrupted.current = false;
      // Live events were missed during the interruption.
      void queryClient.invalidateQueries();
    }
  }, [session.kind, queryClient]);

  if (session.kind === 'unknown' || session.kind === 'leaving') return null;
  if (session.kind === 'signedOut') {
    return (
      <Suspense>
        <SignInForm />
      </Suspense>
    );
  }
  return (
    <>
      {session.kind === 'ended' && (
        <Suspense>
          <EndedSession />
        </Suspense>
      )}
      {session.kind === 'signedIn' && <LiveLibrary />}
      {session.kind === 'unreachable' && <ServerUnreachable onRetry={() => void resumeSession()} />}
      <div inert={session.kind === 'ended'}>{children}</div>
    </>
  );
};

const retryEveryMs = 5000;

/** Bar that explains missing content while the server is unreachable. Retries by itself. */
const ServerUnreachable = ({ onRetry }: { readonly onRetry: () => void }) => {
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
    <aside className={styles['bar']} aria-label={t('serverUnreachable')}>
      <CloudOff aria-hidden size={22} />
      <p role="status">{t('failed.unreachable')}</p>
      <Button onClick={onRetry}>{t('tryAgain')}</Button>
    </aside>
  );
};
