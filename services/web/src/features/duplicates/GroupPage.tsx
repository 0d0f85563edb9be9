import { maxIdsPerRequest } from '@hearth/contract/limits.ts';
import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { callPage } from '../../lib/api/client.ts';
import type { CollectionKind } from '../../components/actions/listActions.ts';
import { toGridItem } from '../../lib/items/gridItem.ts';
import { useMediaSource } from '../../lib/items/mediaSource.ts';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { toasts } from '../../components/overlays/toasts.ts';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import styles from './DuplicatesPage.module.css';
import { groupQuery } from './queries.ts';
import { ReviewActions } from './ReviewActions.tsx';
import { useReview } from './useReview.ts';

const route = getRouteApi('/app/duplicates/$id');

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
  const groupOrEmpty = group ?? { id, mediaItems: [], revision: '', reviewed: false };
  // Uses the revision of the loaded items. The group itself may have been refetched with a newer one.
  const { revision = groupOrEmpty.revision } = source;
  const review = useReview({ ...groupOrEmpty, revision }, () => void navigate({ to: '/duplicates' }));
  const areAllLoaded = source.revision !== undefined && !source.hasMore;
  const keep = (chosen: readonly string[]): void => {
    const ids = new Set(chosen);
    // In list order: the first kept item takes over albums, favourite mark and description from the others.
    const kept = source.items.flatMap((item) => (ids.has(item.id) ? [item.id] : []));
    if (kept.length > maxIdsPerRequest) toasts.add({ title: t('tooMany', { count: maxIdsPerRequest }) });
    else if (kept.length > 0) review.mutate({ name: 'resolve', keep: kept });
  };
  const kind: CollectionKind =
    group === undefined || group.reviewed || review.isPending || !areAllLoaded
      ? { name: 'library' }
      : { name: 'duplicates', keep };
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
      <PageHeader title={title}>
        <Link to="/duplicates" className={styles['switch']}>
          {t('back')}
        </Link>
        {group !== undefined && (
          <div className={styles['review']}>
            {!group.reviewed && <p>{areAllLoaded ? t('chooseHint') : t('scrollHint', { count })}</p>}
            <ReviewActions
              group={group}
              kept={!areAllLoaded ? undefined : bestId === undefined ? [] : [bestId]}
              review={review}
            />
          </div>
        )}
      </PageHeader>
      <MediaCollection source={source} label={title} kind={kind} empty={gone} />
    </>
  );
};
