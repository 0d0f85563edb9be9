import { Dialog } from '@base-ui/react/dialog';
import { useTranslation } from 'react-i18next';
import styles from './EndedSession.module.css';
import { SignInForm } from './SignInForm.tsx';

/**
 * Sign-in form that covers the page and its open dialogs. They stay mounted and keep their input, but cannot be seen or
 * focused.
 */
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
