import { useQuery, queryOptions } from '@tanstack/react-query';
import type { Map as MapLibreMap, MapOptions } from 'maplibre-gl';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { callPublic } from '../../lib/api/client.ts';

/** Map and its container. `hasFailed`: WebGL is unavailable, or the outlines failed to load. */
export interface DrawnMap {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly map: MapLibreMap | undefined;
  readonly hasFailed: boolean;
}

/** Creates a map while mounted. Loads MapLibre with the first map. Reads `options` once. */
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
      const created = await createMap(container.current, tiles, readOptions());
      if (isGone) return created.remove();
      remove = created.remove;
      setMap(created.map);
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

/** Tile template or style of the operator; null: only the outlines. */
const mapTilesQuery = queryOptions({
  queryKey: ['webConfig', 'mapTiles'],
  queryFn: async ({ signal }) => (await callPublic('GET /v1/web/config', { signal })).mapTilesUrl ?? null,
  staleTime: Infinity,
});
