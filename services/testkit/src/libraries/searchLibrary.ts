import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { insertAlbum } from '@hearth/api/features/albums/queries.ts';
import { addToCollection } from '@hearth/api/lists/collections.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { writeItemPlace, type ItemPlace } from '@hearth/worker/places/itemPlaces.ts';
import { writeItemText } from '@hearth/core/items/itemTexts.ts';
import { writeItemThings } from '@hearth/worker/components/things/queries.ts';
import type { MediaItemChanges, Tables } from '@hearth/core/db/schema.ts';
import { buildMediaItem } from '../rows/factories.ts';
import { textLine } from '../pictures/textLine.ts';

/** An item with the data that search uses. */
export interface SearchedItem {
  /** `2023-06-12`, or with a time. */
  readonly taken: string;
  readonly filename?: string;
  readonly description?: string;
  readonly camera?: readonly [make: string, model: string];
  readonly place?: ItemPlace;
  readonly things?: readonly string[];
  readonly albums?: readonly string[];
  readonly people?: readonly string[];
  readonly text?: string;
  /** Columns to change after everything else is stored. */
  readonly state?: MediaItemChanges;
}

/**
 * Adds items to a user's library, like uploads and components, and returns their ids by key. An album or person with a name
 * that begins with `!` is hidden.
 */
export const buildSearchLibrary = async (
  db: Kysely<Tables>,
  userId: string,
  items: Readonly<Record<string, SearchedItem>>,
): Promise<Map<string, string>> => {
  const ids = new Map<string, string>();
  const [albums, people] = [new Map<string, string>(), new Map<string, string>()];
  for (const [key, item] of Object.entries(items)) {
    const {
      taken,
      filename,
      description,
      camera = [],
      place,
      things,
      albums: names = [],
      people: faces = [],
      text,
      state,
    } = item;
    const { id } = await buildMediaItem(db, userId, {
      local_time: taken.length === 10 ? `${taken}T12:00:00` : taken,
      filename: filename ?? 'untitled.jpg',
      description: description ?? null,
      camera_make: camera[0] ?? null,
      camera_model: camera[1] ?? null,
    });
    ids.set(key, id);
    await withItem(db, id, async (trx) => {
      if (place !== undefined) await writeItemPlace(trx, id, place);
      const rows = things?.map((name) => ({ name }));
      if (rows !== undefined) await writeItemThings(trx, { id, user_id: userId }, rows);
      if (text !== undefined) await writeItemText(trx, id, text.split('\n').map(textLine));
    });
    for (const name of names) {
      const isHidden = name.startsWith('!');
      const values = { name: isHidden ? name.slice(1) : name, description: null, isShared: false, isHidden };
      const albumId = albums.get(name) ?? (await insertAlbum(db, userId, values));
      albums.set(name, albumId);
      await addToCollection(db, userId, albumId, [id]);
    }
    for (const name of faces) {
      const personId = people.get(name) ?? randomUUID();
      const isHidden = name.startsWith('!');
      if (!people.has(name)) {
        const values = { id: personId, user_id: userId, name: isHidden ? name.slice(1) : name, is_hidden: isHidden };
        await db.insertInto('people').values(values).execute();
      }
      people.set(name, personId);
      await addToCollection(db, userId, personId, [id]);
    }
    if (state !== undefined && Object.keys(state).length > 0)
      await db.updateTable('media_items').set(state).where('id', '=', id).execute();
  }
  return ids;
};

/** Runs `work` with the item locked, like code that records the outcome of a component. */
export const withItem = async (db: Kysely<Tables>, id: string, work: (trx: Database) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await trx.selectFrom('media_items').select('id').where('id', '=', id).forUpdate().execute();
    await work(trx);
  });
