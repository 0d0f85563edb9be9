import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './Dialog.module.css';

/** Modal dialog. Escape and a click outside close it, and the focus returns to the element that opened it. */
export const Dialog = (props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons. The confirming one comes last. */
  readonly actions?: ReactNode;
  /** For large contents such as pictures. Full screen on small screens. */
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
