import { Heart } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { callPage } from '../../lib/api/client.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import { MediaCollection } from '../../components/viewer/MediaCollection.tsx';
import { useMediaSource } from '../../lib/items/mediaSource.ts';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import { PageHeader } from '../../components/page/PageHeader.tsx';
import { useDocumentTitle } from '../../lib/browser/useDocumentTitle.ts';

export const FavouritesPage = () => {
  const { t } = useTranslation('collections');
  const source = useMediaSource(listKeys.favourites, (next, signal) =>
    callPage('GET /v1/favourites', { query: { limit: 200 }, next, signal }),
  );
  useDocumentTitle(t('favourites.title'));
  if (source.error !== null && source.items.length === 0) throw source.error;
  return (
    <>
      <PageHeader title={t('favourites.title')}>
        {source.total !== undefined && source.total > 0 && <p>{t('items', { count: source.total })}</p>}
      </PageHeader>
      <MediaCollection
        source={source}
        label={t('favourites.title')}
        kind={{ name: 'favourites' }}
        empty={
          <EmptyState icon={Heart} title={t('favourites.none')}>
            <p>{t('favourites.how')}</p>
          </EmptyState>
        }
      />
    </>
  );
};
