import { useQuery, useQueryClient, type QueryKey, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundMediaItem } from '@hearth/contract/search.ts';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import styles from './SearchPage.module.css';
import { call, type Page } from '../../lib/api/client.ts';
import { mayMeanLooks } from './describeReasons.ts';

/** What is still being found out of pictures, and what cannot be. */
export const processingQuery = queryOptions({
  queryKey: ['processing'],
  queryFn: ({ signal }) => call('GET /v1/processing', { signal }),
  staleTime: 0,
});

/** Whether something that is processed is what pictures show. */
const isOfSearch = ({ component }: { readonly component: string }): boolean => component === 'SEARCH';

/** Milliseconds until a search is asked again, and once more. The server gives a query 1.5 s, and takes some seconds to start what understands words. */
const waitsMs = [1_000, 3_000];

/**
 * For a search that has looked at words alone: asks it again, as long as the server may just be starting what understands words, and answers whether it goes on
 * doing so. `queryKey` is that of the search.
 */
const useLateMeaning = (queryKey: QueryKey): boolean => {
  const client = useQueryClient();
  const { data: processing } = useQuery(processingQuery);
  const [asked, setAsked] = useState(0);
  const waitMs = processing?.blocked.some(isOfSearch) === true ? undefined : waitsMs[asked];
  const ask = useEffectEvent(async () => {
    await client.refetchQueries({ queryKey, exact: true });
    setAsked(asked + 1);
  });
  useEffect(() => {
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => void ask(), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return waitMs !== undefined;
};

/** For such a search that has found nothing: says that it is asked again; after that, and where words cannot be understood, it shows what is in it. */
export const LateMeaning = ({ queryKey, children }: { readonly queryKey: QueryKey; readonly children: ReactNode }) => {
  const { t } = useTranslation('search');
  const isLate = useLateMeaning(queryKey);
  return (
    <>
      <div role="status">
        {isLate && (
          <EmptyState icon={Hourglass} title={t('late.title')}>
            <p>{t('late.text')}</p>
          </EmptyState>
        )}
      </div>
      {!isLate && children}
    </>
  );
};

/** For such a search that has found something, which may not be all: says that it is asked again, unless all of its words were names. */
export const LateNote = ({ queryKey }: { readonly queryKey: QueryKey }) => {
  const { t } = useTranslation('search');
  const isLate = useLateMeaning(queryKey);
  const isMeant = useMayMeanLooks(queryKey);
  return (
    <p role="status" className={styles['note']}>
      {isLate && isMeant && t('late.title')}
    </p>
  );
};

/** Whether any word of a search may say what a picture shows: numbers, and words with digits in them, do not. */
export const hasMeaning = (q: string): boolean => /(^|\s)[^\s\d]+(\s|$)/u.test(q);

/** Whether words of a search may have meant what pictures look like, by the first page of what it has found. `queryKey` is that of the search. */
const useMayMeanLooks = (queryKey: QueryKey): boolean =>
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
