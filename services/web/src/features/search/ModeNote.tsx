import type { FoundMediaItem } from '@hearth/contract/search.ts';
import { useQuery, useQueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Page } from '../../lib/api/client.ts';
import { mayMeanLooks } from './describeReasons.ts';
import { isOfSearch, processingQuery } from './processingQuery.ts';
import styles from './SearchPage.module.css';

/** Whether words of a search may have meant what pictures look like, by the first page of what it has found. `queryKey` is that of the search. */
export const useMayMeanLooks = (queryKey: QueryKey): boolean =>
  mayMeanLooks(useQueryClient().getQueryData<InfiniteData<Page<FoundMediaItem>>>(queryKey)?.pages[0]?.items ?? []);

/** Says why words were not looked for in what pictures show, where that is known and the words may have meant it. `queryKey` is that of the search. */
export const ModeNote = ({ queryKey }: { readonly queryKey: QueryKey }) => {
  const { t } = useTranslation('search');
  const isMeant = useMayMeanLooks(queryKey);
  const { data } = useQuery({ ...processingQuery, enabled: isMeant });
  if (!isMeant || data === undefined) return null;
  if (data.waiting.some(isOfSearch)) return <p className={styles['note']}>{t('note.waiting')}</p>;
  return data.blocked.some(isOfSearch) ? <p className={styles['note']}>{t('note.blocked')}</p> : null;
};
