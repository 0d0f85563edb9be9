import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type ButtonProps = ComponentProps<typeof BaseButton> & {
  /** `primary` once per page at most, `danger` for what cannot be undone. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
};

/** A button with words on it. */
export const Button = ({ variant = 'secondary', className, ...props }: ButtonProps) => (
  <BaseButton className={[styles['button'], styles[variant], className].join(' ')} {...props} />
);
