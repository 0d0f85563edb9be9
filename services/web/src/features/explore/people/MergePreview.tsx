import { useTranslation } from 'react-i18next';
import type { Entity } from '../entities/EntityCard.tsx';
import styles from './MergeDialog.module.css';
import { useQueries } from '@tanstack/react-query';
import { callPage } from '../../../lib/api/client.ts';

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

/** So many photos of each person are read; where one has more, the count is a lower bound. */
const readItems = 200;

/** On how many photos any of these people is seen, one with several of them counted once; undefined until it is known. `isAll` is false where there may be more. */
const useMergedCount = (ids: readonly string[]): { readonly count: number; readonly isAll: boolean } | undefined => {
  const pages = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['people', id, 'counted'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        callPage('GET /v1/explore/people/{id}/mediaItems', { params: { id }, query: { limit: readItems }, signal }),
    })),
  }).map(({ data }) => data);
  if (!pages.every((page) => page !== undefined)) return undefined;
  return {
    count: new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size,
    isAll: pages.every(({ next }) => next === undefined),
  };
};
