import type { Person } from '@hearth/contract/people.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/controls/Button.tsx';
import { Dialog } from '../../../components/overlays/Dialog.tsx';
import styles from './MergeDialog.module.css';
import { MergePreview } from './MergePreview.tsx';
import { toPersonEntity, usePeople } from '../entities/useEntities.ts';
import { useMergePeople } from './useMergePeople.ts';

/** Dialog to merge other people into the person of the page. */
export const MergeDialog = (props: { readonly person: Person; readonly onClose: () => void }) => {
  const { t } = useTranslation('explore');
  const { person } = props;
  const { entities, loadMore } = usePeople();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const merge = useMergePeople(props.onClose);

  return (
    <Dialog
      isOpen
      onClose={props.onClose}
      title={person.name === undefined ? t('mergeTitleNameless') : t('mergeTitle', { name: person.name })}
      actions={
        <>
          <Button onClick={props.onClose}>{t('cancel', { ns: 'common' })}</Button>
          <Button
            variant="primary"
            disabled={chosen.size === 0 || merge.isPending}
            onClick={() => merge.mutate({ keptId: person.id, others: [...chosen] })}
          >
            {chosen.size === 0 ? t('samePersonMerge') : t('mergeConfirm', { count: chosen.size })}
          </Button>
        </>
      }
    >
      <p>{t('mergeText')}</p>
      <ul className={styles['people']}>
        {entities
          .filter(({ id }) => id !== person.id)
          .map(({ id, name, imageUrl }) => (
            <li key={id}>
              <label className={styles['person']}>
                <input
                  type="checkbox"
                  className="visually-hidden"
                  checked={chosen.has(id)}
                  onChange={() => setChosen(chosen.symmetricDifference(new Set([id])))}
                />
                <img src={imageUrl} alt="" loading="lazy" />
                <span>{name}</span>
              </label>
            </li>
          ))}
      </ul>
      {chosen.size > 0 && (
        <MergePreview
          people={[
            toPersonEntity(person, t),
            ...[...chosen].flatMap((id) => entities.find((one) => one.id === id) ?? []),
          ]}
        />
      )}
      {loadMore !== undefined && <Button onClick={loadMore}>{t('showMore')}</Button>}
    </Dialog>
  );
};
