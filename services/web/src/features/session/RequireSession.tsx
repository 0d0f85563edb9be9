import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { resumeSession } from '../../api/session.ts';
import { useSession } from '../../api/useSession.ts';
import { LiveLibrary } from '../../media/live/LiveLibrary.tsx';
import { ServerAway } from './ServerAway.tsx';
import { lazyComponent } from '../../ui/lazyComponent.ts';

// Who comes back is signed in already, and needs no form before the first photos.
const EndedSession = lazyComponent('EndedSession', () => import('./EndedSession.tsx'));
const SignInForm = lazyComponent('SignInForm', () => import('./SignInForm.tsx'));

/**
 * Shows `children` to somebody who is signed in, and the sign-in form to everybody else. When a session was ended elsewhere, what was on the
 * page stays as it is behind the form, with its place and whatever was typed: the same person goes on where they were.
 */
export const RequireSession = ({ children }: { readonly children: ReactNode }) => {
  const session = useSession();
  const queryClient = useQueryClient();
  const [isAway, setIsAway] = useState(false);
  const hasEnded = useRef(false);
  const resume = useCallback(() => {
    resumeSession().then(
      () => setIsAway(false),
      () => setIsAway(true),
    );
  }, []);
  useEffect(() => {
    if (session.kind === 'unknown') resume();
    if (session.kind === 'ended') hasEnded.current = true;
    if (session.kind === 'signedIn' && hasEnded.current) {
      hasEnded.current = false;
      // Nothing was told meanwhile of what has changed.
      void queryClient.invalidateQueries();
    }
  }, [session.kind, queryClient, resume]);

  if (session.kind === 'unknown') return isAway ? <ServerAway onRetry={resume} /> : null;
  if (session.kind === 'leaving') return null;
  if (session.kind === 'signedOut') {
    return (
      <Suspense>
        <SignInForm />
      </Suspense>
    );
  }
  return (
    <>
      {session.kind === 'ended' ? (
        <Suspense>
          <EndedSession />
        </Suspense>
      ) : (
        <LiveLibrary />
      )}
      <div inert={session.kind === 'ended'}>{children}</div>
    </>
  );
};
