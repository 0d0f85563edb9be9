import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callPage, callPublic } from '../../lib/api/client.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { toGridItem } from '../../lib/items/gridItem.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { EmptyTrashDialog } from './EmptyTrashDialog.tsx';

export const TrashPage = () => {
  const { t } = useTranslation('collections');
  const { data: trashDays } = useQuery(trashDaysQuery);
  const source = useTrash(trashDays);
  const [isEmptying, setIsEmptying] = useState(false);
  useDocumentTitle(t('trash.title'));
  if (source.error !== null && source.items.length === 0) throw source.error;
  const count = source.total ?? source.items.length;
  return (
    <>
      <PageHeader
        title={t('trash.title')}
        actions={
          count > 0 && (
            <Button onClick={() => setIsEmptying(true)}>
              <Trash2 aria-hidden size={20} />
              {t('trash.empty')}
            </Button>
          )
        }
      >
        {count > 0 && (
          <p>
            {t('items', { count })}. {trashDays !== undefined && t('trash.rule', { count: trashDays })}
          </p>
        )}
      </PageHeader>
      <MediaCollection
        source={source}
        label={t('trash.title')}
        kind={{ name: 'trash' }}
        empty={
          <EmptyState icon={Trash2} title={t('trash.none')}>
            {trashDays !== undefined && <p>{t('trash.how', { count: trashDays })}</p>}
          </EmptyState>
        }
      />
      {isEmptying && <EmptyTrashDialog count={count} onClose={() => setIsEmptying(false)} />}
    </>
  );
};

/**
 * Lists the trash with the remaining days on each item. Items in the trash never change, so `updatedAt` is the time of
 * deletion.
 */
function useTrash(trashDays: number | undefined): MediaSource {
  const { t } = useTranslation('collections');
  const query = useInfiniteQuery({
    queryKey: listKeys.trash,
    queryFn: ({ pageParam, signal }) => callPage('GET /v1/trash', { query: { limit: 200 }, next: pageParam, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  });
  const { data, dataUpdatedAt, fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const items = useMemo(() => {
    const now = new Date(dataUpdatedAt);
    const getNote = (item: MediaItem): string | undefined =>
      trashDays === undefined
        ? undefined
        : t('trash.daysLeft', { count: countDaysLeft(item.updatedAt, now, trashDays) });
    return (data?.pages ?? []).flatMap((page) => page.items).map((item) => toGridItem(item, getNote(item)));
  }, [data, dataUpdatedAt, t, trashDays]);
  return {
    items,
    total: data?.pages[0]?.total,
    hasMore: hasNextPage,
    isLoading: query.isPending,
    error: query.error,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
}

/** Retention of the trash on this server, in days. */
const trashDaysQuery = queryOptions({
  queryKey: ['webConfig', 'trashDays'],
  queryFn: async ({ signal }) => (await callPublic('GET /v1/web/config', { signal })).trashDays,
  staleTime: Infinity,
});

const dayMs = 86_400_000;

/**
 * Returns the remaining days, rounded up, of an item deleted at `trashedAt`: `trashDays` at first, 1 on the last day, 0
 * when it may be removed at any moment.
 */
export const countDaysLeft = (trashedAt: string, now: Date, trashDays: number): number => {
  const passedMs = now.getTime() - new Date(trashedAt).getTime();
  return Math.min(trashDays, Math.max(0, Math.ceil(trashDays - passedMs / dayMs)));
};
