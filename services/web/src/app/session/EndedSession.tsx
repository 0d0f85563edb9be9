import { Dialog } from '@base-ui/react/dialog';
import { useTranslation } from 'react-i18next';
import styles from './EndedSession.module.css';
import { SignInForm } from './SignInForm.tsx';

/** The sign-in form over everything, also over dialogs that are open: what was typed in them stays, and nothing of it can be seen or reached. */
export const EndedSession = () => {
  const { t } = useTranslation('session');
  return (
    <Dialog.Root open disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Popup className={styles['cover']} aria-label={t('signIn')}>
          <SignInForm notice={t('ended')} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
