import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

/** Placeholder of an empty list or page: icon, title, explanation and action. */
export const EmptyState = (props: {
  readonly icon: LucideIcon;
  readonly title: string;
  /** True if this is the only content of the page. Its title is then the page's heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) => {
  const Icon = props.icon;
  const Title = props.isPage === true ? 'h1' : 'h2';
  return (
    <div className={styles['empty']}>
      <Icon aria-hidden size={48} strokeWidth={1.25} />
      <Title className={styles['title']}>{props.title}</Title>
      <div className={styles['text']}>{props.children}</div>
      {props.action}
    </div>
  );
};
