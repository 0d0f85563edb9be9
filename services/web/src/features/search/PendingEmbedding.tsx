import { useQuery, useQueryClient, type QueryKey, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FoundMediaItem } from '@hearth/contract/search.ts';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import styles from './SearchPage.module.css';
import { call, type Page } from '../../lib/api/client.ts';
import { mayDescribePictures } from './describeReasons.ts';

export const processingQuery = queryOptions({
  queryKey: ['processing'],
  queryFn: ({ signal }) => call('GET /v1/processing', { signal }),
  staleTime: 0,
});

const isSearchComponent = ({ component }: { readonly component: string }): boolean => component === 'SEARCH';

/**
 * Delays before a search is repeated, in ms. The server allows 1.5 s to embed a query, and takes some seconds to start
 * the text encoder.
 */
const retryDelaysMs = [1_000, 3_000];

/**
 * Repeats a text-only search while the server's text encoder may still be starting. Returns whether another attempt
 * follows. `queryKey` is that of the search.
 */
const useSemanticRetry = (queryKey: QueryKey): boolean => {
  const client = useQueryClient();
  const { data: processing } = useQuery(processingQuery);
  const [retryCount, setRetryCount] = useState(0);
  const waitMs = processing?.blocked.some(isSearchComponent) === true ? undefined : retryDelaysMs[retryCount];
  const retry = useEffectEvent(async () => {
    await client.refetchQueries({ queryKey, exact: true });
    setRetryCount(retryCount + 1);
  });
  useEffect(() => {
    if (waitMs === undefined) return undefined;
    const timer = setTimeout(() => void retry(), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return waitMs !== undefined;
};

/**
 * For a text-only search without results. Shows that the search is repeated. Shows `children` after the last attempt, or
 * if semantic search is blocked.
 */
export const PendingEmbedding = ({
  queryKey,
  children,
}: {
  readonly queryKey: QueryKey;
  readonly children: ReactNode;
}) => {
  const { t } = useTranslation('search');
  const isLate = useSemanticRetry(queryKey);
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

/**
 * For a text-only search with possibly incomplete results. Shows that the search is repeated, unless its words matched
 * only names.
 */
export const PendingNote = ({ queryKey }: { readonly queryKey: QueryKey }) => {
  const { t } = useTranslation('search');
  const isLate = useSemanticRetry(queryKey);
  const isVisualQuery = useIsVisualQuery(queryKey);
  return (
    <p role="status" className={styles['note']}>
      {isLate && isVisualQuery && t('late.title')}
    </p>
  );
};

/** Returns whether a query may describe a picture: at least one word must contain no digits. */
export const hasWords = (q: string): boolean => /(^|\s)[^\s\d]+(\s|$)/u.test(q);

/** Returns whether the query may describe what pictures look like, based on the first page of results. */
const useIsVisualQuery = (queryKey: QueryKey): boolean =>
  mayDescribePictures(
    useQueryClient().getQueryData<InfiniteData<Page<FoundMediaItem>>>(queryKey)?.pages[0]?.items ?? [],
  );

/** Explains why semantic search was not used, if the query may describe what pictures look like. */
export const ModeNote = ({ queryKey }: { readonly queryKey: QueryKey }) => {
  const { t } = useTranslation('search');
  const isVisualQuery = useIsVisualQuery(queryKey);
  const { data } = useQuery({ ...processingQuery, enabled: isVisualQuery });
  if (!isVisualQuery || data === undefined) return null;
  if (data.waiting.some(isSearchComponent)) return <p className={styles['note']}>{t('note.waiting')}</p>;
  return data.blocked.some(isSearchComponent) ? <p className={styles['note']}>{t('note.blocked')}</p> : null;
};
