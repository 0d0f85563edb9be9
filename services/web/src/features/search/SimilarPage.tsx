import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Images, ImageOff, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import { callPage } from '../../lib/api/client.ts';
import { mediaItemQuery } from '../../lib/items/mediaItemQuery.ts';
import { useMediaSource } from '../../lib/items/mediaSource.ts';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import styles from './SearchPage.module.css';

const route = getRouteApi('/app/similar/$id');

/** Items similar to one item, most similar first. */
export const SimilarPage = () => {
  const { t } = useTranslation('search');
  const { id } = route.useParams();
  const { data: item } = useQuery(mediaItemQuery(id));
  const source = useMediaSource(['mediaItems', 'similar', id], (next, signal) =>
    callPage('GET /v1/mediaItems/{id}/similar', { params: { id }, query: { limit: 100 }, next, signal }),
  );
  useDocumentTitle(t('similar.title'));
  if (source.error instanceof ApiError && source.error.status === 404)
    return (
      <EmptyState isPage icon={ImageOff} title={t('similar.gone')}>
        <p>{t('similar.goneText')}</p>
      </EmptyState>
    );
  if (source.error !== null && source.items.length === 0) throw source.error;
  return (
    <>
      <PageHeader title={t('similar.title')}>
        {item !== undefined && (
          <Link
            to="/similar/$id"
            params={{ id }}
            search={{ item: id }}
            aria-label={t('similar.of')}
            title={t('similar.of')}
            className={styles['of']}
          >
            {item.thumbnailUrl === undefined ? (
              <Images aria-hidden size={32} strokeWidth={1.5} />
            ) : (
              <img src={item.thumbnailUrl} alt="" />
            )}
          </Link>
        )}
      </PageHeader>
      <MediaCollection
        source={source}
        label={t('similar.title')}
        kind={{ name: 'library' }}
        empty={
          source.searchMode === 'text' ? (
            <EmptyState icon={SearchX} title={t('similar.unknown')}>
              <p>{t('similar.unknownText')}</p>
            </EmptyState>
          ) : (
            <EmptyState icon={SearchX} title={t('similar.empty')} />
          )
        }
      />
    </>
  );
};
