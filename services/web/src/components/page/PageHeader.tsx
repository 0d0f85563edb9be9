import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

export const PageHeader = (props: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Menu of rare actions, always next to the title. */
  readonly menu?: ReactNode;
}) => (
  <header className={[styles['header'], props.menu === undefined ? '' : styles['withMenu']].join(' ')}>
    <h1 className={styles['title']}>{props.title}</h1>
    <div className={styles['words']}>{props.children}</div>
    {props.actions !== undefined && <div className={styles['actions']}>{props.actions}</div>}
    {props.menu !== undefined && <div className={styles['menu']}>{props.menu}</div>}
  </header>
);
