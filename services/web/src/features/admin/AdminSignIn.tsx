import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { CredentialsForm } from '../../components/controls/CredentialsForm.tsx';
import { PasswordField } from '../../components/controls/PasswordField.tsx';
import { TextField } from '../../components/controls/TextField.tsx';
import { makeAdminClient, type AdminClient } from './adminClient.ts';
import styles from './AdminPage.module.css';

/** Checks the administrator's credentials and passes on a client that uses them. */
export const AdminSignIn = ({ onSignedIn }: { readonly onSignedIn: (client: AdminClient) => void }) => {
  const { t } = useTranslation('admin');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(undefined);
    const client = makeAdminClient({ username, password });
    try {
      await client.callPage('GET /v1/users', { query: { limit: 1 } });
      onSignedIn(client);
    } catch (error) {
      setIsBusy(false);
      setProblem(describeProblem(error));
    }
  };

  const describeProblem = (error: unknown): string => {
    if (!(error instanceof ApiError) || error.status === 0) return t('failed.unreachable', { ns: 'common' });
    if (error.code === 'UNAUTHORIZED') return t('wrong');
    if (error.code === 'TOO_MANY_ATTEMPTS')
      return t('tooMany', { ns: 'session', count: error.retryAfterSeconds ?? 60 });
    return t('failed.title', { ns: 'common' });
  };

  return (
    <CredentialsForm
      title={t('title')}
      problem={problem}
      submit={t('signIn', { ns: 'session' })}
      isBusy={isBusy}
      onSubmit={(event) => void handleSubmit(event)}
    >
      <p className={styles['hint']}>{t('signInHint')}</p>
      <TextField
        label={t('username')}
        autoComplete="off"
        autoCapitalize="none"
        required
        value={username}
        onValueChange={setUsername}
      />
      <PasswordField label={t('password')} autoComplete="off" required value={password} onValueChange={setPassword} />
    </CredentialsForm>
  );
};
