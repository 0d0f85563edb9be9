import { maxMapClusters } from '@hearth/contract/limits.ts';
import { listMapClusters, type MapCluster as Cluster } from './queries.ts';
import type { Handlers } from '../../http/handle.ts';
import type { MapCluster } from '@hearth/contract/placesMap.ts';
import type { UserLinks } from '../../links/links.ts';

const getPlacesMap: Handlers['getPlacesMap'] = async ({ db, links }, { query, user }) => {
  const clusters = await listMapClusters(db, user.userId, { ...query, maxClusters: maxMapClusters });
  return { status: 200, body: clusters.map((cluster) => presentMapCluster(links.forUser(user), cluster)) };
};

export const placesMapHandlers = { getPlacesMap } satisfies Partial<Handlers>;

/** Converts a cluster to its API form. */
const presentMapCluster = (links: UserLinks, { latitude, longitude, count, bounds, cover }: Cluster): MapCluster => ({
  latitude,
  longitude,
  count,
  bounds,
  coverMediaItemId: cover.id,
  ...(cover.thumbnailKey !== null && { thumbnailUrl: links.sign({ key: cover.thumbnailKey, type: 'image/webp' }) }),
});
