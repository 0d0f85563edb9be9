import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './InfoRow.module.css';

/** Lines of the panel on one subject, with an icon. `label`: accessible name. */
export const InfoRow = (props: { readonly icon: LucideIcon; readonly label: string; readonly children: ReactNode }) => {
  const Icon = props.icon;
  return (
    <section className={styles['row']} aria-label={props.label}>
      <Icon aria-hidden size={20} strokeWidth={1.75} className={styles['icon']} />
      <div className={styles['content']}>{props.children}</div>
    </section>
  );
};
