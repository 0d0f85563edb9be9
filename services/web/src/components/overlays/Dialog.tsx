import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './Dialog.module.css';

/** A question or a small form over the page; Escape and a click beside it close it. The focus returns to what opened it. */
export const Dialog = (props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** The buttons, the one that goes on last. */
  readonly actions?: ReactNode;
  /** For what needs room, such as pictures to choose from; on a small screen it covers the page. */
  readonly isWide?: boolean;
}) => (
  <BaseDialog.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
    <BaseDialog.Portal>
      <BaseDialog.Backdrop className={styles['backdrop']} />
      <BaseDialog.Popup className={[styles['popup'], props.isWide === true ? styles['wide'] : ''].join(' ')}>
        <BaseDialog.Title className={styles['title']}>{props.title}</BaseDialog.Title>
        {props.children}
        {props.actions !== undefined && <div className={styles['actions']}>{props.actions}</div>}
      </BaseDialog.Popup>
    </BaseDialog.Portal>
  </BaseDialog.Root>
);
