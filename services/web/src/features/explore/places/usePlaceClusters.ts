import type { MapCluster } from '@hearth/contract/placesMap.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { useEffect, useState } from 'react';
import { call } from '../../../lib/api/client.ts';
import { toMapArea, type MapArea } from './mapArea.ts';

/** Returns the clusters in the visible area of a map. Keeps the previous ones while a new area loads. */
export const usePlaceClusters = (map: MapLibreMap | undefined): readonly MapCluster[] => {
  const [area, setArea] = useState<MapArea>();
  useEffect(() => {
    if (map === undefined) return undefined;
    const update = (): void => {
      const bounds = map.getBounds();
      const next = toMapArea(
        { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() },
        map.getZoom(),
      );
      setArea((before) => (before?.bounds === next.bounds && before.zoom === next.zoom ? before : next));
    };
    update();
    map.on('moveend', update);
    map.on('resize', update);
    return () => {
      map.off('moveend', update);
      map.off('resize', update);
    };
  }, [map]);
  const { data } = useQuery({
    queryKey: ['places', 'map', area],
    queryFn: ({ signal }) => call('GET /v1/explore/places/map', { query: toQuery(area), signal }),
    enabled: area !== undefined,
    placeholderData: keepPreviousData,
  });
  return data ?? [];
};

const toQuery = (area: MapArea | undefined) =>
  area === undefined ? {} : { bounds: area.bounds, zoom: String(area.zoom) };
