import { useTranslation } from 'react-i18next';
import type { Entity } from '../entities/EntityCard.tsx';
import styles from './MergeDialog.module.css';
import { useQueries } from '@tanstack/react-query';
import { callPage } from '../../../lib/api/client.ts';

/** Preview of a merge: the face and name that stay, and the number of photos. */
export const MergePreview = (props: {
  /** The remaining person comes first. If unnamed, they receive the first name among the others. */
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

/** Maximum number of items read per person. If a person has more, the count is a lower bound. */
const maxItemsPerPerson = 200;

/** Counts the distinct items of these people. Undefined while loading. `isAll` is false if there may be more. */
const useMergedCount = (ids: readonly string[]): { readonly count: number; readonly isAll: boolean } | undefined => {
  const pages = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['people', id, 'counted'],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        callPage('GET /v1/explore/people/{id}/mediaItems', {
          params: { id },
          query: { limit: maxItemsPerPerson },
          signal,
        }),
    })),
  }).map(({ data }) => data);
  if (!pages.every((page) => page !== undefined)) return undefined;
  return {
    count: new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size,
    isAll: pages.every(({ next }) => next === undefined),
  };
};
