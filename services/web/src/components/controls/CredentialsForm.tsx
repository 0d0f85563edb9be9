import type { FormEvent, ReactNode } from 'react';
import { Button } from './Button.tsx';
import styles from './CredentialsForm.module.css';

/** Page that only asks for credentials. `children`: hint and fields. */
export const CredentialsForm = (props: {
  readonly title: string;
  readonly children: ReactNode;
  /** Error of the last attempt, announced to screen readers. */
  readonly problem: string | undefined;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}) => (
  <main className={styles['page']}>
    <form className={styles['form']} onSubmit={props.onSubmit}>
      <img src="/icon.svg" alt="" width={72} height={72} className={styles['icon']} />
      <h1>{props.title}</h1>
      {props.children}
      {props.problem !== undefined && (
        <p role="alert" className={styles['problem']}>
          {props.problem}
        </p>
      )}
      <Button type="submit" variant="primary" disabled={props.isBusy} focusableWhenDisabled>
        {props.submit}
      </Button>
    </form>
  </main>
);
