import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/apiError.ts';
import { callPage } from '../../api/client.ts';
import { toGridItem } from '../../media/gridItem.ts';
import { useMediaSource } from '../../media/mediaSource.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts';
import { MediaCollection } from '../../viewer/MediaCollection.tsx';
import styles from './DuplicatesPage.module.css';
import { groupQuery } from './queries.ts';
import { useReview } from './useReview.ts';

const route = getRouteApi('/app/duplicates/$id');

/** All photos of one group, the best first, to be compared one by one. */
export const GroupPage = () => {
  const { t } = useTranslation('duplicates');
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const { data: group, error } = useQuery(groupQuery(id));
  const bestId = group?.mediaItems[0]?.id;
  const present = useCallback(
    (item: MediaItem) => toGridItem(item, item.id === bestId ? t('best') : undefined),
    [bestId, t],
  );
  const source = useMediaSource(
    ['mediaItems', 'duplicates', id],
    (next, signal) =>
      callPage('GET /v1/duplicates/{id}/mediaItems', { params: { id }, query: { limit: 200 }, next, signal }),
    present,
  );
  const review = useReview({ id, mediaItems: group?.mediaItems ?? [] }, () => void navigate({ to: '/duplicates' }));
  const count = group?.mediaItemsCount ?? 0;
  const title = group === undefined ? '\u00a0' : t('group', { count });
  useDocumentTitle(group === undefined ? undefined : title);
  const gone = (
    <EmptyState isPage icon={Copy} title={t('gone')} action={<Link to="/duplicates">{t('back')}</Link>}>
      <p>{t('goneText')}</p>
    </EmptyState>
  );
  if (error instanceof ApiError && error.status === 404) return gone;
  if (error !== null && group === undefined) throw error;
  return (
    <>
      <PageHeader
        title={title}
        actions={
          group !== undefined &&
          (group.reviewed ? (
            <Button
              disabled={review.isPending}
              focusableWhenDisabled
              onClick={() => review.mutate({ name: 'restore' })}
            >
              {t('takeBack')}
            </Button>
          ) : (
            <>
              <Button
                disabled={review.isPending || bestId === undefined || count < 2}
                focusableWhenDisabled
                onClick={() => bestId !== undefined && review.mutate({ name: 'resolve', keep: [bestId] })}
              >
                {t('keepBest')}
              </Button>
              <Button
                variant="quiet"
                disabled={review.isPending}
                focusableWhenDisabled
                onClick={() => review.mutate({ name: 'dismiss' })}
              >
                {t('keepAll')}
              </Button>
            </>
          ))
        }
      >
        <Link to="/duplicates" className={styles['switch']}>
          {t('back')}
        </Link>
        <p role="status">{review.isPending && (review.variables.name === 'restore' ? t('restoring') : t('working'))}</p>
      </PageHeader>
      <MediaCollection source={source} label={title} kind={{ name: 'library' }} empty={gone} />
    </>
  );
};
