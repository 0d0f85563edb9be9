import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import styles from './DuplicatesPage.module.css';
import type { useReview } from './useReview.ts';

/**
 * What can be said of a group, or taken back; what becomes of its photos then, and what is being done. `kept` are the ids of those that are to be kept;
 * undefined where not all of it is to be seen: the others do not go to the trash then.
 */
export const ReviewActions = (props: {
  readonly group: DuplicateGroup;
  readonly kept: readonly string[] | undefined;
  readonly review: ReturnType<typeof useReview>;
}) => {
  const { t } = useTranslation('duplicates');
  const { group, kept, review } = props;
  const { mediaItemsCount: count, trashedCount, reviewed } = group;
  const isBusy = review.isPending;
  const isBestAlone = kept?.length === 1 && kept[0] === group.mediaItems[0]?.id;
  return (
    <>
      <div className={styles['actions']}>
        {!reviewed && (
          <>
            {kept !== undefined && (
              <Button
                disabled={isBusy || kept.length === 0 || kept.length === count}
                focusableWhenDisabled
                onClick={() => review.mutate({ name: 'resolve', keep: kept })}
              >
                {isBestAlone ? t('keepBest') : t('keepChosen', { count: kept.length })}
              </Button>
            )}
            <Button
              variant="quiet"
              disabled={isBusy}
              focusableWhenDisabled
              onClick={() => review.mutate({ name: 'dismiss' })}
            >
              {t('keepAll')}
            </Button>
          </>
        )}
        {(reviewed || trashedCount > 0) && (
          <Button
            variant={reviewed ? 'secondary' : 'quiet'}
            disabled={isBusy}
            focusableWhenDisabled
            onClick={() => review.mutate({ name: 'restore' })}
          >
            {t('takeBack')}
          </Button>
        )}
      </div>
      {!reviewed && kept !== undefined && <p className={styles['state']}>{t('given')}</p>}
      {trashedCount > 0 && (
        <p className={styles['state']}>
          {reviewed ? t('inTrash', { count: trashedCount }) : t('inTrashAlready', { count: trashedCount })}
        </p>
      )}
      {reviewed && trashedCount === 0 && <p className={styles['state']}>{t('allKept')}</p>}
      <p role="status" className={styles['state']}>
        {isBusy && (review.variables.name === 'restore' ? t('restoring') : t('working'))}
      </p>
    </>
  );
};
