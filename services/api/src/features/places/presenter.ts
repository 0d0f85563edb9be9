import type { MapCluster } from '@hearth/contract/placesMap.ts';
import type { MapCluster as Cluster } from './queries.ts';
import type { UserLinks } from '../../links/links.ts';

/** A cluster of a map as the owner of the library sees it. */
export const presentMapCluster = (
  links: UserLinks,
  { latitude, longitude, count, bounds, cover }: Cluster,
): MapCluster => ({
  latitude,
  longitude,
  count,
  bounds,
  coverMediaItemId: cover.id,
  ...(cover.thumbnailKey !== null && { thumbnailUrl: links.sign({ key: cover.thumbnailKey, type: 'image/webp' }) }),
});
