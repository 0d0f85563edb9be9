import { Map as MapLibreMap, type MapOptions, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { loadMapStyle } from './loadMapStyle.ts';
import { readMapColours, watchTheme } from './mapColours.ts';
import { trustedScriptUrl } from '../../lib/browser/trustedTypes.ts';

/**
 * Has MapLibre start its workers from a file of this origin. Under Trusted Types the address is an object and no text, which `new Worker` wants so;
 * MapLibre first asks it as a text whether it ends in `.cjs`, so it gets the two methods of texts by which that is asked.
 */
const setOwnWorkerFile = (): void => {
  const text = new URL(workerUrl, location.href).href;
  const address = trustedScriptUrl(text) as string | object;
  if (typeof address === 'object') {
    Object.assign(address, {
      endsWith: (end: string) => text.endsWith(end),
      split: (separator: RegExp) => text.split(separator),
    });
  }
  setWorkerUrl(address as string);
};

setOwnWorkerFile();

/**
 * A map in `container`, in the colours of the theme that is shown, also when that changes; answers also what removes it.
 *
 * @throws Error when the outlines cannot be had, or the browser draws no WebGL.
 */
export const createMap = async (
  container: HTMLElement,
  tilesUrl: string | null,
  options: Omit<MapOptions, 'container' | 'style'>,
): Promise<{ readonly map: MapLibreMap; readonly remove: () => void }> => {
  const { style, maxZoom, hasOutlines } = await loadMapStyle(tilesUrl, readMapColours(container));
  const map = new MapLibreMap({
    container,
    style,
    maxZoom,
    minZoom: 0,
    // There are no names on the map to stand upright, and north stays where people look for it.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    attributionControl: false,
    ...options,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const stopWatching = watchTheme(() => {
    if (!hasOutlines) return;
    const { water, land, border } = readMapColours(container);
    map.setPaintProperty('water', 'background-color', water);
    map.setPaintProperty('land', 'fill-color', land);
    map.setPaintProperty('borders', 'line-color', border);
  });
  return {
    map,
    remove: () => {
      stopWatching();
      map.remove();
    },
  };
};
