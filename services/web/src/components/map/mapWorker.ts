import { setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { trustedScriptUrl } from '../../lib/browser/trustedTypes.ts';

/**
 * Has MapLibre start its workers from a file of this origin. Under Trusted Types the address is an object and no text, which `new Worker` wants so;
 * MapLibre first asks it as a text whether it ends in `.cjs`, so it gets the two methods of texts by which that is asked.
 */
export const setOwnWorkerFile = (): void => {
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
