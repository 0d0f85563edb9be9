import { findTool } from '../run/tools.ts';

/**
 * Tells processes of tests and benchmarks where the map of places is. Where it is not installed they do without, and never make one. Nor do they
 * fetch anything else from the internet, such as models.
 */
export const placesFileVariable = (): { readonly HEARTH_PLACES_FILE: string; readonly HEARTH_OFFLINE: '1' } => {
  const found = findTool('places');
  return { HEARTH_PLACES_FILE: 'path' in found ? found.path : '/nowhere/places.bin', HEARTH_OFFLINE: '1' };
};
