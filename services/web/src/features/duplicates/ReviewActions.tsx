import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/controls/Button.tsx';
import styles from './DuplicatesPage.module.css';
import type { useReview } from './useReview.ts';

/**
 * Review buttons of a group, with the state and progress of the review. `kept`: ids to keep; undefined if not all
 * photos are loaded. Then nothing can be moved to the trash.
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
