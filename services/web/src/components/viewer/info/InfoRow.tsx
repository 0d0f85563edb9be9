import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './InfoRow.module.css';

/** A few lines of the panel on one subject, with its icon; `label` is what screen readers call it. */
export const InfoRow = (props: { readonly icon: LucideIcon; readonly label: string; readonly children: ReactNode }) => {
  const Icon = props.icon;
  return (
    <section className={styles['row']} aria-label={props.label}>
      <Icon aria-hidden size={20} strokeWidth={1.75} className={styles['icon']} />
      <div className={styles['content']}>{props.children}</div>
    </section>
  );
};
