import { sql } from 'kysely';
import { NotFoundError } from '../errors.ts';
import { findCovers, setCover } from './collections.ts';
import { transaction, type Database } from './database.ts';
import type { MediaItemRow, PlaceRow } from './schema.ts';

/** A place with the item that stands for it: chosen by hand, or the newest visible one. */
export interface PlaceWithCover extends PlaceRow {
  readonly cover: MediaItemRow;
}

/** Some of a user's places at which something visible was taken, by name without regard to case, and how many there are. */
export const listPlaces = async (
  db: Database,
  userId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly places: PlaceWithCover[]; readonly totalCount: number }> => {
  const shown = db.selectFrom('places').where('user_id', '=', userId).where(isShown);
  const [count, rows] = await Promise.all([
    shown.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
    shown
      .selectAll()
      .orderBy(sql`lower(name)`)
      .orderBy('id')
      .offset(offset)
      .limit(limit)
      .execute(),
  ]);
  return { places: await addCovers(db, rows), totalCount: count.n };
};

/** @throws NotFoundError also where nothing visible was taken there, and where it is another user's */
export const getPlace = async (db: Database, userId: string, id: string): Promise<PlaceWithCover> => {
  const row = await db
    .selectFrom('places')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where(isShown)
    .executeTakeFirst();
  const [place] = row === undefined ? [] : await addCovers(db, [row]);
  if (place === undefined) throw new NotFoundError('place');
  return place;
};

/** Chooses the cover of a place; `null` leaves it to the place again. @throws NotFoundError of the place, or of a cover that is none of its visible items */
export const setPlaceCover = async (
  db: Database,
  userId: string,
  id: string,
  mediaItemId: string | null,
): Promise<void> =>
  transaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('places')
      .set({ updated_at: sql`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where(isShown)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new NotFoundError('place');
    await setCover(trx, id, mediaItemId);
  });

const isShown = sql<boolean>`exists (
  select from collection_items where collection_id = places.id and visibility = 'visible')`;

/** What has lost its last visible item since it was read is left out. */
const addCovers = async (db: Database, rows: readonly PlaceRow[]): Promise<PlaceWithCover[]> => {
  const covers = await findCovers(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((row) => {
    const cover = covers.get(row.id);
    return cover === undefined ? [] : [{ ...row, cover }];
  });
};
