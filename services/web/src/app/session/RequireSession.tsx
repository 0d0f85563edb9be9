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
 * Shows `children` to somebody who is signed in, and the sign-in form to everybody else. When a session was ended elsewhere, what was on the
 * page stays as it is behind the form, with its place and whatever was typed: the same person goes on where they were. While the server does not
 * answer, whoever was signed in last has the page with what this device knows.
 */
export const RequireSession = ({ children }: { readonly children: ReactNode }) => {
  const session = useSession();
  const queryClient = useQueryClient();
  const wasInterrupted = useRef(false);
  useEffect(() => {
    if (session.kind === 'unknown') void resumeSession();
    if (session.kind === 'ended' || session.kind === 'away') wasInterrupted.current = true;
    if (session.kind === 'signedIn' && wasInterrupted.current) {
      wasInterrupted.current = false;
      // Nothing was told meanwhile of what has changed.
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
      {session.kind === 'away' && <ServerAway onRetry={() => void resumeSession()} />}
      <div inert={session.kind === 'ended'}>{children}</div>
    </>
  );
};

const retryEveryMs = 5000;

/** Says at the edge of a page that was opened while the server does not answer why so little is on it. It tries again by itself. */
const ServerAway = ({ onRetry }: { readonly onRetry: () => void }) => {
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
