import { useQuery, queryOptions } from '@tanstack/react-query';
import type { Map as MapLibreMap, MapOptions } from 'maplibre-gl';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { callPublic } from '../../lib/api/client.ts';

/** A map and the element that it is drawn in; `hasFailed` where the browser cannot draw one, or its outlines did not come. */
export interface DrawnMap {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly map: MapLibreMap | undefined;
  readonly hasFailed: boolean;
}

/** Draws a map while the component is there. MapLibre is loaded for the first one. `options` count when the map is made. */
export const useMap = (options: () => Omit<MapOptions, 'container' | 'style'>): DrawnMap => {
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibreMap>();
  const [hasFailed, setHasFailed] = useState(false);
  const { data: tilesUrl, isError } = useQuery(mapTilesQuery);
  const tiles = tilesUrl === undefined && isError ? null : tilesUrl;
  const readOptions = useEffectEvent(options);

  useEffect(() => {
    if (tiles === undefined) return undefined;
    let isGone = false;
    let remove: (() => void) | undefined;
    const draw = async (): Promise<void> => {
      const { createMap } = await import('./createMap.ts');
      if (isGone || container.current === null) return;
      const made = await createMap(container.current, tiles, readOptions());
      if (isGone) return made.remove();
      remove = made.remove;
      setMap(made.map);
    };
    draw().catch(() => setHasFailed(true));
    return () => {
      isGone = true;
      remove?.();
      setMap(undefined);
    };
  }, [tiles]);

  return { container, map, hasFailed };
};

/** Where maps get their tiles, if the operator has named a server; null where the outlines of the app are all there is. */
const mapTilesQuery = queryOptions({
  queryKey: ['webConfig', 'mapTiles'],
  queryFn: async ({ signal }) => (await callPublic('GET /v1/web/config', { signal })).mapTilesUrl ?? null,
  staleTime: Infinity,
});
