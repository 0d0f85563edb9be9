import { Map as MapLibreMap, type MapOptions, setWorkerUrl } from 'maplibre-gl';
import 'maplibre-gl/dist/maplibre-gl.css';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { loadMapStyle } from './loadMapStyle.ts';
import { readMapColours, watchTheme } from './mapColours.ts';
import { trustedScriptUrl } from '../../lib/browser/trustedTypes.ts';

/**
 * Makes MapLibre load its worker from a file of this origin. Under Trusted Types, `new Worker` requires an object
 * instead of a string. MapLibre calls string methods on the URL to check for `.cjs`, so the object gets these two
 * methods.
 */
const setWorkerFile = (): void => {
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

setWorkerFile();

/**
 * Creates a map in `container` that follows the theme. Returns it with a function that removes it.
 *
 * @throws Error if the outlines fail to load or WebGL is unavailable
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
    // Without rotation, north stays up.
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
