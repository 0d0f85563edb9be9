import { Button as BaseButton } from '@base-ui/react/button';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import styles from './IconButton.module.css';

type IconButtonProps = Omit<ComponentProps<typeof BaseButton>, 'children'> & {
  readonly icon: LucideIcon;
  /** Accessible name and tooltip. */
  readonly label: string;
  /** White in every theme, for use over pictures. */
  readonly onPicture?: boolean;
};

export const IconButton = ({ icon: Icon, label, onPicture = false, className, ...props }: IconButtonProps) => (
  <BaseButton
    aria-label={label}
    title={label}
    className={[styles['button'], onPicture ? styles['onPicture'] : '', className].join(' ')}
    {...props}
  >
    <Icon aria-hidden size={22} strokeWidth={1.75} />
  </BaseButton>
);
