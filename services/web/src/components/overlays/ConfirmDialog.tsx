import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../controls/Button.tsx';
import { Dialog } from './Dialog.tsx';

/** Confirmation of an irreversible action. `children` explains the consequence, and `confirm` labels the button. */
export const ConfirmDialog = (props: {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation();
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={props.title}
      actions={
        <>
          <Button variant="quiet" onClick={props.onClose}>
            {t('cancel')}
          </Button>
          <Button
            variant="danger"
            onClick={() => {
              props.onClose();
              props.onConfirm();
            }}
          >
            {props.confirm}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  );
};
