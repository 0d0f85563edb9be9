import { maxMapClusters } from '@hearth/contract/limits.ts';
import { listMapClusters } from './queries.ts';
import type { Handlers } from '../../http/handlers.ts';
import { presentMapCluster } from './presenter.ts';

const getPlacesMap: Handlers['getPlacesMap'] = async ({ db, links }, { query, user }) => {
  const clusters = await listMapClusters(db, user.userId, { ...query, maxClusters: maxMapClusters });
  return { status: 200, body: clusters.map((cluster) => presentMapCluster(links.forUser(user), cluster)) };
};

export const placesMapHandlers = { getPlacesMap } satisfies Partial<Handlers>;
