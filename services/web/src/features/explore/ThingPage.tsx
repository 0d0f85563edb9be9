import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Shapes } from 'lucide-react';
import { callPage } from '../../lib/api/client.ts';
import { useMediaSource } from '../../lib/items/mediaSource.ts';
import { EntityPage } from './entities/EntityPage.tsx';
import { thingQuery } from './entities/queries.ts';

const route = getRouteApi('/app/things/$id');

export const ThingPage = () => {
  const { id } = route.useParams();
  const { data: thing } = useQuery({ ...thingQuery(id), throwOnError: true });
  const source = useMediaSource(['mediaItems', 'thing', id], (next, signal) =>
    callPage('GET /v1/explore/things/{id}/mediaItems', { params: { id }, query: { limit: 200 }, next, signal }),
  );
  return (
    <EntityPage
      kind="things"
      id={id}
      name={thing?.name}
      coverMediaItemId={thing?.coverMediaItemId}
      icon={Shapes}
      source={source}
    />
  );
};
