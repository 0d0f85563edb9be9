import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

/** What a page says that has nothing to show: why, and what to do. */
export const EmptyState = (props: {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Whether it is all that the page says, so that its title is the page's. */
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
