import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { CloudAlert, Images, Link2Off } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { Button } from '../../components/controls/Button.tsx';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { SharedCollection } from './SharedCollection.tsx';
import { SharedHeader } from './SharedHeader.tsx';
import styles from './SharedAlbumPage.module.css';
import { sharedAlbum, sharedItems, toSharedGridItem } from './sharedItems.ts';
import { useMemo } from 'react';
import type { MediaSource } from '../../lib/items/mediaSource.ts';

const route = getRouteApi('/s/$shareId');

/** Read-only page of a shared album, without an account. */
export const SharedAlbumPage = () => {
  const { t } = useTranslation('sharing');
  const { shareId } = route.useParams();
  const { data: album, error, refetch } = useQuery(sharedAlbum(shareId));
  const source = useSharedSource(shareId);
  useDocumentTitle(album?.name);
  const isOver = [error, source.error].some(isGone);

  return (
    <main className={styles['page']}>
      {isOver && (
        <EmptyState isPage icon={Link2Off} title={t('over.title')}>
          <p>{t('over.text')}</p>
        </EmptyState>
      )}
      {!isOver && error !== null && album === undefined && (
        <EmptyState
          isPage
          icon={CloudAlert}
          title={t('failed.title', { ns: 'common' })}
          action={
            <Button variant="primary" onClick={() => void refetch()}>
              {t('tryAgain', { ns: 'common' })}
            </Button>
          }
        >
          <p>{isRateLimited(error) ? t('tooMany') : t('failed.unreachable', { ns: 'common' })}</p>
        </EmptyState>
      )}
      {!isOver && album !== undefined && (
        <>
          <SharedHeader album={album} />
          <SharedCollection
            shareId={shareId}
            label={album.name}
            source={source}
            empty={
              <EmptyState icon={Images} title={t('empty.title')}>
                <p>{t('empty.text')}</p>
              </EmptyState>
            }
          />
        </>
      )}
      <footer className={styles['footer']}>
        <img src="/icon.svg" alt="" width={24} height={24} />
        {t('sharedWith')}
      </footer>
    </main>
  );
};

/** Returns whether the album does not exist. The API responds with `VALIDATION_FAILED` to a malformed id. */
function isGone(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_FAILED');
}

function isRateLimited(error: Error): boolean {
  return error instanceof ApiError && error.code === 'TOO_MANY_ATTEMPTS';
}

const useSharedSource = (shareId: string): MediaSource => {
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    sharedItems(shareId),
  );
  const items = useMemo(() => (data?.pages ?? []).flatMap((page) => page.items.map(toSharedGridItem)), [data]);
  return {
    items,
    total: data?.pages[0]?.total,
    hasMore: hasNextPage,
    isLoading: isPending,
    error,
    loadMore: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
  };
};
