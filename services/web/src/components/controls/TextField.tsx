import { Field } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import styles from './TextField.module.css';

type TextFieldProps = ComponentProps<typeof Field.Control> & {
  readonly label: string;
  /** Validation error, announced to screen readers. */
  readonly error?: ReactNode;
  readonly hint?: ReactNode;
};

export const TextField = ({ label, error, hint, ...props }: TextFieldProps) => (
  <Field.Root className={styles['field']} invalid={error !== undefined}>
    <Field.Label className={styles['label']}>{label}</Field.Label>
    <Field.Control className={styles['control']} {...props} />
    {hint !== undefined && <Field.Description className={styles['hint']}>{hint}</Field.Description>}
    {error !== undefined && (
      <Field.Error className={styles['error']} match>
        {error}
      </Field.Error>
    )}
  </Field.Root>
);
