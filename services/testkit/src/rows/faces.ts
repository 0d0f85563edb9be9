import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockPeople, writeItemFaces, type FoundFace } from '@hearth/core/people/itemFaces.ts';
import { recogniseFaces, type DetectedFace } from '@hearth/worker/components/faces/recogniseFaces.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { faceKey } from '@hearth/core/objects/keys.ts';

type Item = Pick<MediaItemRow, 'id' | 'user_id'>;

/** Makes a face at one of several positions of a picture, of a new person by default. */
export const makeFace = (
  item: Item,
  { place = 0, personId = null, quality = 0.5 }: { place?: number; personId?: string | null; quality?: number } = {},
): FoundFace => {
  const box = { left: place / 8, top: 0.25, width: 0.1, height: 0.25 };
  return { box, quality, thumbnailKey: faceKey(item.user_id, item.id, 1, box), personId };
};

/** Makes a face with an embedding at one of several positions of a picture. */
export const makeDetectedFace = (
  item: Item,
  embedding: Float32Array,
  { place = 0, isFounding = true, quality = 0.5 }: { place?: number; isFounding?: boolean; quality?: number } = {},
): DetectedFace => ({ ...makeFace(item, { place, quality }), embedding, isFounding });

/** Assigns faces to people like the component FACES. */
export const recognise = async (db: Database, item: Item, faces: readonly DetectedFace[]): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, item.user_id);
    await trx.selectFrom('media_items').select('id').where('id', '=', item.id).forUpdate().execute();
    await recogniseFaces(trx, item, faces);
  });

/** Writes faces like code that records the outcome of a component: locks the user's people and the item. */
export const writeFaces = async (
  db: Database,
  item: Item,
  faces: readonly FoundFace[] | ((trx: Database) => Promise<readonly FoundFace[]>),
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, item.user_id);
    await trx.selectFrom('media_items').select('id').where('id', '=', item.id).forUpdate().execute();
    await writeItemFaces(trx, item, typeof faces === 'function' ? await faces(trx) : faces);
  });
