import { findPosition, writeItemPlace, type ItemPlace } from '../../places/itemPlaces.ts';
import type { OutcomeWrites } from '@hearth/core/runs/runOutcomes.ts';
import type { Component } from '../../context/component.ts';
import { placesCapability } from '../../places/placesData.ts';

/** Looks up the country, state, city, town and postcode of the position that METADATA has found. */
export const places: Component = {
  name: 'PLACES',
  tools: ['places'],
  capabilities: [placesCapability],
  run: async ({ db, places }, { item }) => {
    const position = await findPosition(db, item.id);
    if (position === undefined) return { state: 'SKIPPED', reason: 'NOT_APPLICABLE', writes: toOutcome(item.id, null) };
    const map = places?.current();
    if (map === undefined) return { state: 'BLOCKED', reason: 'NO_MAP', blockedOn: placesCapability };
    return { state: 'DONE', writes: toOutcome(item.id, map.find(position) ?? null), warnings: [] };
  },
};

/** Writes the place of an item; `null` removes an earlier place. */
const toOutcome = (mediaItemId: string, place: ItemPlace | null): OutcomeWrites => ({
  write: (trx) => writeItemPlace(trx, mediaItemId, place),
});
