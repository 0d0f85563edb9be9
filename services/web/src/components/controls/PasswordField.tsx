import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './IconButton.tsx';
import styles from './PasswordField.module.css';
import { TextField } from './TextField.tsx';

/** Password input with a button that shows the text, and a Caps Lock warning. */
export const PasswordField = (props: Omit<ComponentProps<typeof TextField>, 'type'>) => {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const [isCapsLockOn, setIsCapsLockOn] = useState(false);
  const handleKey = (event: KeyboardEvent): void => setIsCapsLockOn(event.getModifierState('CapsLock'));
  return (
    <div className={styles['field']}>
      <TextField
        {...props}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        onKeyDown={handleKey}
        onKeyUp={handleKey}
      />
      <IconButton
        className={styles['toggle']}
        icon={isShown ? EyeOff : Eye}
        label={isShown ? t('hidePassword') : t('showPassword')}
        onClick={() => setIsShown(!isShown)}
      />
      <p role="status" className={styles['capsLock']}>
        {isCapsLockOn && t('capsLock')}
      </p>
    </div>
  );
};
