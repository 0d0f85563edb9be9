import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { changePassword } from '../../lib/api/session.ts';
import { Button } from '../../components/controls/Button.tsx';
import { PasswordField } from '../../components/controls/PasswordField.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { Section } from '../../components/page/Section.tsx';
import styles from './SettingsPage.module.css';

/** Minimum password length in the contract. */
const minPasswordLength = 8;

/** Changes the user's password, which ends all other sessions. */
export const PasswordSection = () => {
  const { t } = useTranslation('settings');
  const [current, setCurrent] = useState('');
  const [chosen, setChosen] = useState('');
  const [problem, setProblem] = useState<string>();

  const handleSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(undefined);
    try {
      await changePassword(current, chosen);
      setCurrent('');
      setChosen('');
      toasts.add({ title: t('passwordChanged') });
    } catch (error) {
      setProblem(describeProblem(error));
    }
  };

  const describeProblem = (error: unknown): string => {
    if (!(error instanceof ApiError) || error.status === 0) return t('failed.unreachable', { ns: 'common' });
    if (error.code === 'TOO_MANY_ATTEMPTS') return t('passwordTooMany');
    const fields = error.problems.map(({ path }) => path);
    return fields.includes('body.currentPassword') ? t('passwordWrong') : t('passwordRefused');
  };

  return (
    <Section title={t('password')} hint={t('passwordHint')}>
      <form className={styles['form']} onSubmit={(event) => void handleSubmit(event)}>
        <PasswordField
          label={t('passwordCurrent')}
          autoComplete="current-password"
          required
          value={current}
          onValueChange={setCurrent}
        />
        <PasswordField
          label={t('passwordNew')}
          autoComplete="new-password"
          required
          minLength={minPasswordLength}
          hint={t('passwordLength', { count: minPasswordLength })}
          value={chosen}
          onValueChange={setChosen}
        />
        {problem !== undefined && (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        <Button type="submit">{t('passwordChange')}</Button>
      </form>
    </Section>
  );
};
