import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { signIn } from '../../lib/api/session.ts';
import { CredentialsForm } from '../../components/controls/CredentialsForm.tsx';
import { PasswordField } from '../../components/controls/PasswordField.tsx';
import { TextField } from '../../components/controls/TextField.tsx';

/** `notice` explains why the user was signed out. */
export const SignInForm = ({ notice }: { readonly notice?: string }) => {
  const { t } = useTranslation('session');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const passwordRef = useRef<HTMLInputElement>(null);

  const handleSubmit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsBusy(true);
    setProblem(undefined);
    try {
      await signIn(getText(form, 'username'), getText(form, 'password'));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'UNAUTHORIZED') setProblem(t('wrong'));
      else if (error instanceof ApiError && error.code === 'TOO_MANY_ATTEMPTS')
        setProblem(t('tooMany', { count: error.retryAfterSeconds ?? 60 }));
      else setProblem(t('failed.unreachable', { ns: 'common' }));
      passwordRef.current?.select();
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <CredentialsForm
      title={t('title')}
      problem={problem}
      submit={isBusy ? t('signingIn') : t('signIn')}
      isBusy={isBusy}
      onSubmit={(event) => void handleSubmit(event)}
    >
      {notice !== undefined && <p role="status">{notice}</p>}
      <TextField label={t('username')} name="username" autoComplete="username" autoCapitalize="none" required />
      <PasswordField ref={passwordRef} label={t('password')} name="password" autoComplete="current-password" required />
    </CredentialsForm>
  );
};

function getText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
