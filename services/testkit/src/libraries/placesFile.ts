import { findTool } from '../run/tools.ts';

/**
 * Returns the variables for the places file of tests and benchmarks. Without the file, processes skip places instead of
 * building the file. They download nothing else either, such as models.
 */
export const placesFileVariable = (): { readonly HEARTH_PLACES_FILE: string; readonly HEARTH_OFFLINE: '1' } => {
  const found = findTool('places');
  return { HEARTH_PLACES_FILE: 'path' in found ? found.path : '/nowhere/places.bin', HEARTH_OFFLINE: '1' };
};
