import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { callPage } from '../../../lib/api/client.ts';
import { useMediaSource } from '../../../lib/items/mediaSource.ts';
import { translateCountry } from '../entities/countryNames.ts';
import { EntityPage } from '../entities/EntityPage.tsx';
import { placeQuery } from '../entities/queries.ts';

const route = getRouteApi('/app/places/$id');

export const PlacePage = () => {
  const { i18n } = useTranslation('explore');
  const { id } = route.useParams();
  const { data: place } = useQuery({ ...placeQuery(id), throwOnError: true });
  const source = useMediaSource(['mediaItems', 'place', id], (next, signal) =>
    callPage('GET /v1/explore/places/{id}/mediaItems', { params: { id }, query: { limit: 200 }, next, signal }),
  );
  const country = place?.country === undefined ? undefined : translateCountry(i18n.language, place.country);
  const around = [place?.state, country].filter((name) => name !== undefined && name !== place?.name);
  return (
    <EntityPage
      kind="places"
      id={id}
      name={place?.name}
      description={around.join(', ')}
      coverMediaItemId={place?.coverMediaItemId}
      icon={MapPin}
      source={source}
    />
  );
};
