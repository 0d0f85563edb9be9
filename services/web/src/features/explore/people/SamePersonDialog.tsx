import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import type { Entity } from '../entities/EntityCard.tsx';
import { MergePreview } from './MergePreview.tsx';
import styles from './SamePersonDialog.module.css';
import { useMergePeople } from './useMergePeople.ts';

/** Dialog to confirm that two people are the same, with both faces. Merges `dropped` into `target`. */
export const SamePersonDialog = (props: {
  readonly dropped: Entity;
  readonly target: Entity;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation('explore');
  const { dropped, target, onClose } = props;
  const merge = useMergePeople(onClose);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('samePersonTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('samePersonNo')}</Button>
          <Button
            variant="primary"
            disabled={merge.isPending}
            onClick={() => merge.mutate({ keptId: target.id, others: [dropped.id] })}
          >
            {t('samePersonMerge')}
          </Button>
        </>
      }
    >
      <div className={styles['faces']}>
        <Face person={dropped} />
        <ArrowRight aria-hidden size={28} strokeWidth={1.75} />
        <Face person={target} />
      </div>
      <p>{t('samePersonText')}</p>
      <MergePreview people={[target, dropped]} />
    </Dialog>
  );
};

const Face = ({ person }: { readonly person: Entity }) => (
  <figure className={styles['face']}>
    <img src={person.imageUrl} alt="" />
    <figcaption>{person.name}</figcaption>
  </figure>
);
