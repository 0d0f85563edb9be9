import { useNavigate } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signInByCode } from '../../lib/api/session.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';

let attempt: Promise<void> | undefined;

/**
 * Signs in once, with the code in the URL fragment. Removes the code from the URL at once, to keep it out of history
 * and screenshots.
 */
const signInFromUrl = (): Promise<void> => {
  if (attempt === undefined) {
    const code = globalThis.location.hash.slice(1);
    globalThis.history.replaceState(null, '', '/welcome');
    attempt = signInByCode(code);
  }
  return attempt;
};

/** Signs in the first user with the one-time link that the server printed, then opens the photos. */
export const WelcomePage = () => {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    signInFromUrl().then(
      () => navigate({ to: '/', replace: true }),
      () => setHasFailed(true),
    );
  }, [navigate]);

  return (
    <main>
      {hasFailed ? (
        <EmptyState
          isPage
          icon={KeyRound}
          title={t('linkUsedTitle')}
          action={
            <Button variant="primary" onClick={() => void navigate({ to: '/', replace: true })}>
              {t('signIn')}
            </Button>
          }
        >
          <p>{t('linkUsedText')}</p>
        </EmptyState>
      ) : (
        <p role="status">{t('signingIn')}</p>
      )}
    </main>
  );
};
