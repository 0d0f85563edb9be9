import type { MapCluster } from '@hearth/contract/placesMap.ts';
import { useNavigate } from '@tanstack/react-router';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { call } from '../../../lib/api/client.ts';
import { boundsAround } from './mapArea.ts';

/** The finest cells that the API puts items together in. */
const finestZoom = '20';

/** How far from the map's edge clusters come to lie when it zooms to them, in pixels. */
const padding = 64;

/**
 * Goes into a cluster: nearer, to where its items lie apart; where the map comes no nearer, to the place that they were taken at. A single item is
 * shown at once. Resolves when the map has begun to move or the page has changed. @throws ApiError
 */
export const useOpenCluster = (map: MapLibreMap | undefined): ((cluster: MapCluster) => Promise<void>) => {
  const navigate = useNavigate();

  const openPlace = async ({ coverMediaItemId: id, count }: MapCluster): Promise<void> => {
    const [place] = await call('GET /v1/mediaItems/{id}/places', { params: { id } });
    const item = count === 1 || place === undefined ? id : undefined;
    await (place === undefined
      ? navigate({ to: '/', search: { item } })
      : navigate({ to: '/places/$id', params: { id: place.id }, search: { item } }));
  };

  return async (cluster) => {
    if (map === undefined || cluster.count === 1) return openPlace(cluster);
    const { west, south, east, north } = cluster.bounds;
    const bounds = [west, south, east, north].join(',');
    const parts = await call('GET /v1/explore/places/map', { query: { bounds, zoom: finestZoom } });
    // The clusters at the edge belong to the neighbours as well; only what lies in this one counts.
    const inside = parts.filter(
      ({ longitude, latitude }) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
    );
    const around = boundsAround(inside);
    const camera = around && map.cameraForBounds([around.west, around.south, around.east, around.north], { padding });
    const isNearest = map.getZoom() >= map.getMaxZoom() - 0.1;
    if (camera === undefined || inside.length <= 1 || isNearest) return openPlace(cluster);
    map.easeTo({ ...camera, zoom: Math.max(camera.zoom ?? 0, Math.min(map.getZoom() + 1, map.getMaxZoom())) });
  };
};
