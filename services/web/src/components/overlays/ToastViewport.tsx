import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls/IconButton.tsx';
import { startShowingToasts, toastManager } from './toasts.ts';
import styles from './Toasts.module.css';

export const ToastViewport = () => {
  // Runs after the provider has subscribed, because the effects of children run first.
  useEffect(startShowingToasts, []);
  return (
    <Toast.Provider toastManager={toastManager} timeout={8000} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
};

const ToastList = () => {
  const { t } = useTranslation();
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles['toast']}>
      <Toast.Content className={styles['content']}>
        <Toast.Title className={styles['title']} />
        <Toast.Description />
      </Toast.Content>
      <Toast.Action className={styles['action']} />
      {/* Base UI hides the button from screen readers until the toast is hovered or focused, although Tab reaches it. */}
      <Toast.Close aria-hidden={false} render={<IconButton icon={X} label={t('close')} />} />
    </Toast.Root>
  ));
};
