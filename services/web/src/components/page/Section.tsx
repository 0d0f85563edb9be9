import { useId, type ReactNode } from 'react';
import styles from './Section.module.css';

export const Section = (props: { readonly title: string; readonly hint?: string; readonly children: ReactNode }) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id}>{props.title}</h2>
      {props.hint !== undefined && <p className={styles['hint']}>{props.hint}</p>}
      {props.children}
    </section>
  );
};
