import { findPosition } from '@hearth/core/db/explore/itemPlaces.ts';
import type { Component } from '../component.ts';
import { placesCapability } from '../places/placesData.ts';

/** Finds out where the item was taken: country, state, city, town and postcode of the position that METADATA has found. */
export const places: Component = {
  name: 'PLACES',
  opens: ['places'],
  capabilities: [placesCapability],
  run: async ({ db, places }, { item }) => {
    const position = await findPosition(db, item.id);
    if (position === undefined) return { state: 'SKIPPED', reason: 'NOT_APPLICABLE', place: null };
    const map = places?.current();
    if (map === undefined) return { state: 'BLOCKED', reason: 'NO_MAP', blockedOn: placesCapability };
    return { state: 'DONE', place: map.find(position) ?? null, warnings: [] };
  },
};
