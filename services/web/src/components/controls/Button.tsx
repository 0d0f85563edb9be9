import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type ButtonProps = ComponentProps<typeof BaseButton> & {
  /** `primary`: at most one per page. `danger`: for irreversible actions. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
};

export const Button = ({ variant = 'secondary', className, ...props }: ButtonProps) => (
  <BaseButton className={[styles['button'], styles[variant], className].join(' ')} {...props} />
);
