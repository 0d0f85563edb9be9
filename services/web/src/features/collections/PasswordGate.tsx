import { EyeOff } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { useSession } from '../../lib/api/useSession.ts';
import { readUsername } from '../../lib/api/userStorage.ts';
import { Button } from '../../components/controls/Button.tsx';
import { TextField } from '../../components/controls/TextField.tsx';
import { checkPassword } from './checkPassword.ts';
import styles from './PasswordGate.module.css';
import { unlock } from './unlocked.ts';

/**
 * Asks for the password before hidden items are shown. Asks for the user name only if this device does not know it, or
 * after a failed attempt.
 */
export const PasswordGate = () => {
  const { t } = useTranslation('collections');
  const session = useSession();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const username = session.kind === 'signedIn' ? readUsername(session.userId) : undefined;
  const [isUsernameRequired, setIsUsernameRequired] = useState(username === undefined);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy || session.kind !== 'signedIn') return;
    const form = new FormData(event.currentTarget);
    setIsBusy(true);
    setProblem(undefined);
    try {
      if (await checkPassword(getText(form, 'username'), getText(form, 'password'))) unlock(session.userId);
      else {
        setProblem(t('gate.wrong'));
        // The administrator may have changed the user name.
        setIsUsernameRequired(true);
      }
    } catch (error) {
      const isRateLimited = error instanceof ApiError && error.code === 'TOO_MANY_ATTEMPTS';
      setProblem(
        isRateLimited
          ? t('gate.tooMany', { count: error.retryAfterSeconds ?? 60 })
          : t('failed.unreachable', { ns: 'common' }),
      );
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form className={styles['gate']} onSubmit={(event) => void handleSubmit(event)}>
      <EyeOff aria-hidden size={48} strokeWidth={1.25} className={styles['icon']} />
      <h2>{t('gate.title')}</h2>
      <p className={styles['text']}>{t('gate.text')}</p>
      {!isUsernameRequired ? (
        // For password managers and for the form data.
        <input hidden readOnly name="username" autoComplete="username" value={username} />
      ) : (
        <TextField
          label={t('gate.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          required
          defaultValue={username}
        />
      )}
      <TextField
        label={t('gate.password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={problem}
      />
      <Button type="submit" variant="primary" disabled={isBusy} focusableWhenDisabled>
        {isBusy ? t('gate.checking') : t('gate.open')}
      </Button>
    </form>
  );
};

function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
