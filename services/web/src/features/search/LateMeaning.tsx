import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { isOfSearch, processingQuery } from './processingQuery.ts';

/** Milliseconds until a search is asked again, and once more. The server gives a query 1.5 s, and takes some seconds to start what understands words. */
const waitsMs = [1_000, 3_000];

/**
 * For a search that has found nothing, and looked at words alone: asks it again, as long as the server may just be starting what understands words, and says
 * so; after that, and where it cannot understand words, it shows what is in it. `queryKey` is that of the search.
 */
export const LateMeaning = ({ queryKey, children }: { readonly queryKey: QueryKey; readonly children: ReactNode }) => {
  const { t } = useTranslation('search');
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
  return (
    <>
      <div role="status">
        {waitMs !== undefined && (
          <EmptyState icon={Hourglass} title={t('late.title')}>
            <p>{t('late.text')}</p>
          </EmptyState>
        )}
      </div>
      {waitMs === undefined && children}
    </>
  );
};

/** Whether any word of a search may say what a picture shows: numbers, and words with digits in them, do not. */
export const hasMeaning = (q: string): boolean => /(^|\s)[^\s\d]+(\s|$)/u.test(q);
