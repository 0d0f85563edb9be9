import { findTool } from './tools.ts';

/** Tells processes of tests and benchmarks where the map of places is. Where it is not installed they do without, and never make one. */
export const placesFileVariable = (): { readonly HEARTH_PLACES_FILE: string } => {
  const found = findTool('places');
  return { HEARTH_PLACES_FILE: 'path' in found ? found.path : '/nowhere/places.bin' };
};
