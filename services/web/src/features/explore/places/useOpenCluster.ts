import type { MapCluster } from '@hearth/contract/placesMap.ts';
import { useNavigate } from '@tanstack/react-router';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { call } from '../../../lib/api/client.ts';
import { getBounds } from './mapArea.ts';

/** Highest zoom of the API's clustering. */
const finestZoom = '20';

/** Distance of clusters from the map's edge after zooming to them, in pixels. */
const padding = 64;

/**
 * Opens a cluster: zooms in until its items separate. If they cannot separate, or at the maximum zoom, opens the page
 * of their place, or the timeline if they have none. Opens a single item directly. Resolves when the zoom has started
 * or the page has changed. @throws ApiError
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
    // Clusters on the edge can belong to a neighbouring cell. Counts only those inside the bounds.
    const inside = parts.filter(
      ({ longitude, latitude }) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
    );
    const around = getBounds(inside);
    const camera = around && map.cameraForBounds([around.west, around.south, around.east, around.north], { padding });
    const isMaxZoom = map.getZoom() >= map.getMaxZoom() - 0.1;
    if (camera === undefined || inside.length <= 1 || isMaxZoom) return openPlace(cluster);
    map.easeTo({ ...camera, zoom: Math.max(camera.zoom ?? 0, Math.min(map.getZoom() + 1, map.getMaxZoom())) });
  };
};
