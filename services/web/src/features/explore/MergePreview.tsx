import { useTranslation } from 'react-i18next';
import type { Entity } from './EntityCard.tsx';
import styles from './MergePreview.module.css';
import { useMergedCount } from './useMergedCount.ts';

/** What becomes of people who are put together: whose face and which name stays, and on how many photos they are then seen. */
export const MergePreview = (props: {
  /** The one who stays comes first; without a name, that person gets the first one that another has. */
  readonly people: readonly Entity[];
}) => {
  const { t } = useTranslation('explore');
  const name = props.people.find(({ isNameless }) => isNameless !== true)?.name ?? t('mergeNameless');
  const merged = useMergedCount(props.people.map(({ id }) => id));
  return (
    <p className={styles['preview']} role="status">
      <img src={props.people[0]?.imageUrl} alt="" />
      <span>
        {merged === undefined
          ? name
          : merged.isAll
            ? t('mergePreview', { name, count: merged.count })
            : t('mergePreviewMany', { name, count: merged.count })}
      </span>
    </p>
  );
};
