import { transaction } from '@hearth/core/db/database.ts';
import { writeItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import type { TestContext } from './startTestContext.ts';
import type { TestUser } from './testUser.ts';

/** Writes positions and places of a user's photos in the order of their file names, as their components do. */
export const writePlaces = async (
  { db }: TestContext,
  { id: userId }: TestUser,
  positions: readonly { readonly latitude: number; readonly longitude: number }[],
): Promise<void> => {
  const items = await db
    .selectFrom('media_items')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('filename')
    .execute();
  for (const [index, { id }] of items.entries()) {
    await db.updateTable('media_items').set(positions[index]!).where('id', '=', id).execute();
    await transaction(db, (trx) => writeItemPlace(trx, id, { countryCode: 'PT', country: 'Portugal', city: 'Lisbon' }));
  }
};
