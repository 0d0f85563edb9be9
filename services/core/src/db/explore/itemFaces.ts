import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NotFoundError } from '../../errors.ts';
import { transaction, type Database } from '../connection/database.ts';
import { matchFaces, type FaceBox } from './matchFaces.ts';
import type { MediaItemRow } from '../connection/schema.ts';

/*
 * [Note: People] A person is a set of faces of one user that have been put together, and a collection of the items with these faces. A transaction
 * that puts a face to a person first looks at the people that there are; two that look at the same time would make two people of one. So each
 * transaction that writes faces, or merges or forgets people, begins with `lockPeople`: it takes a lock per user before it locks any item. A person
 * without faces is removed, with the name and cover that were chosen: no face could ever be put to that person again.
 */

/** Keeps user ids apart from whatever else takes such locks. */
const lockSpace = 7_301_949;

/** Until the transaction ends nobody else puts faces of this user to people. To be called before it locks any item. */
export const lockPeople = async (trx: Database, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockSpace}, hashtext(${userId}))`.execute(trx);
};

export interface FoundFace {
  readonly box: FaceBox;
  /** How well the face stands for its person; of a person's faces the one with the highest value is the cover. */
  readonly quality: number;
  readonly thumbnailKey: string;
  /**
   * The person whose face it is; `null` where it is like no known face. Then it stays with the person that it had when it was found before, or
   * becomes a new person's.
   */
  readonly personId: string | null;
}

/**
 * Gives an item these faces and no others. One that was found there before keeps its id, so that the same faces once more change nothing.
 * To be called behind `lockPeople`, where the item's row is locked.
 * @throws NotFoundError where a person is not the user's, or not any more
 */
export const writeItemFaces = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  found: readonly FoundFace[],
): Promise<void> => {
  const earlier = await trx.selectFrom('faces').selectAll().where('media_item_id', '=', item.id).execute();
  const matches = matchFaces(
    earlier.map((face) => ({
      left: face.box_left,
      top: face.box_top,
      width: face.box_width,
      height: face.box_height,
    })),
    found.map(({ box }) => box),
  );
  const earlierPeople = earlier.map((face) => face.person_id);
  const named = [...found.map(({ personId }) => personId), ...earlierPeople];
  const people = await trx
    .selectFrom('people')
    .select('id')
    .where('user_id', '=', item.user_id)
    .where(sql<boolean>`id = any(${named}::uuid[])`)
    .execute();
  const known = new Set(people.map(({ id }) => id));
  const made: string[] = [];
  const faces = found.map(({ box, quality, thumbnailKey, personId }, index) => {
    const before = earlier[matches[index] ?? -1];
    const inherited = known.has(before?.person_id ?? '') ? before?.person_id : undefined;
    if (personId !== null && !known.has(personId)) throw new NotFoundError('person');
    const owner = personId ?? inherited ?? randomUUID();
    if (!known.has(owner)) made.push(owner);
    return {
      id: before?.id ?? randomUUID(),
      media_item_id: item.id,
      person_id: owner,
      box_left: box.left,
      box_top: box.top,
      box_width: box.width,
      box_height: box.height,
      quality,
      thumbnail_key: thumbnailKey,
      visibility: sql<'visible'>`(select visibility from media_items where id = ${item.id})`,
    };
  });
  await trx.deleteFrom('faces').where('media_item_id', '=', item.id).execute();
  if (made.length > 0) {
    const rows = made.map((id) => ({ id, user_id: item.user_id }));
    await trx.insertInto('people').values(rows).execute();
  }
  if (faces.length > 0) await trx.insertInto('faces').values(faces).execute();
  await putItemToPeople(trx, item.id, [...new Set(faces.map((face) => face.person_id))]);
  await forgetPeople(trx, earlierPeople);
};

/** Makes an item one of these people's, and of nobody else's. */
const putItemToPeople = async (trx: Database, mediaItemId: string, personIds: readonly string[]): Promise<void> => {
  await sql`
    delete from collection_items using people
    where media_item_id = ${mediaItemId} and collection_id = people.id and people.id <> all(${personIds}::uuid[])`.execute(
    trx,
  );
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select person_id, id, local_time, visibility from unnest(${personIds}::uuid[]) as person_id, media_items
    where id = ${mediaItemId} order by person_id on conflict do nothing`.execute(trx);
};

/** Forgets those of these people who have no face any more. To be called behind `lockPeople`. */
export const forgetPeople = async (trx: Database, personIds: readonly string[]): Promise<void> => {
  await sql`
    delete from collections using people
    where collections.id = people.id and people.id = any(${personIds}::uuid[])
      and not exists (select from faces where person_id = people.id)`.execute(trx);
};

/** Forgets people whose last face has gone with an item that was removed for good. Two that do so at once do no harm. */
export const forgetPeopleWithoutFaces = async (db: Database): Promise<void> => {
  const people = await db
    .selectFrom('people')
    .select(['id', 'user_id'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('faces').select('id').whereRef('person_id', '=', 'people.id'))),
    )
    .execute();
  for (const [userId, left] of Map.groupBy(people, (person) => person.user_id)) {
    await transaction(db, async (trx) => {
      await lockPeople(trx, userId);
      await forgetPeople(
        trx,
        left.map(({ id }) => id),
      );
    });
  }
};
