import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NotFoundError } from '../log/errors.ts';
import { transaction, type Database } from '../db/database.ts';
import { settleEarlierFaces, type EarlierFaces } from './earlierFaces.ts';
import type { PlacedFace } from './matchFaces.ts';
import type { MediaItemRow } from '../db/schema.ts';

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

export interface FoundFace extends PlacedFace {
  /** How well the face stands for its person; of a person's faces the one with the highest value is the cover. */
  readonly quality: number;
  readonly thumbnailKey: string;
  /** The size of the object under `thumbnailKey`; left out where it is not known. */
  readonly thumbnailBytes?: number;
  /**
   * The person whose face it is; `null` where it is like no known face. Then it stays with the person that it had when it was found before, or
   * becomes a new person's, or nobody's where it founds none.
   */
  readonly personId: string | null;
  /** Whether it makes a person known; left out where it does. */
  readonly isFounding?: boolean;
}

/**
 * Gives an item these faces and no others, and answers their ids. One that was found there before keeps its id, and what a user has said of it, so
 * that the same faces once more change nothing; what is not found again is settled as [Note: Faces that are missed] says. To be called behind
 * `lockPeople`, where the item's row is locked.
 * @param earlier where the earlier faces have been settled already
 * @throws NotFoundError where a person is not the user's, or not any more
 */
export const writeItemFaces = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  found: readonly FoundFace[],
  earlier?: EarlierFaces,
): Promise<readonly string[]> => {
  const { matches, people: earlierPeople } = earlier ?? (await settleEarlierFaces(trx, item.id, found));
  const named = [...found.map(({ personId }) => personId), ...earlierPeople];
  const people = await trx
    .selectFrom('people')
    .select('id')
    .where('user_id', '=', item.user_id)
    .where(sql<boolean>`id = any(${named}::uuid[])`)
    .execute();
  const known = new Set(people.map(({ id }) => id));
  const made: string[] = [];
  const faces = found.map(({ box, quality, thumbnailKey, thumbnailBytes, personId, isFounding = true }, index) => {
    const before = matches[index];
    const inherited = known.has(before?.person_id ?? '') ? before?.person_id : undefined;
    if (personId !== null && !known.has(personId)) throw new NotFoundError('person');
    const owner = personId ?? inherited ?? (isFounding ? randomUUID() : null);
    if (owner !== null && !known.has(owner)) made.push(owner);
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
      thumbnail_bytes: thumbnailBytes ?? null,
      visibility: sql<'visible'>`(select visibility from media_items where id = ${item.id})`,
    };
  });
  if (made.length > 0) {
    const rows = made.map((id) => ({ id, user_id: item.user_id }));
    await trx.insertInto('people').values(rows).execute();
  }
  // Those that are there already stay, with all that hangs on them.
  if (faces.length > 0)
    await trx
      .insertInto('faces')
      .values(faces)
      .onConflict((on) =>
        on.column('id').doUpdateSet(({ ref }) => ({
          person_id: ref('excluded.person_id'),
          joined_at: sql`case when faces.person_id is distinct from excluded.person_id then clock_timestamp() else faces.joined_at end`,
          box_left: ref('excluded.box_left'),
          box_top: ref('excluded.box_top'),
          box_width: ref('excluded.box_width'),
          box_height: ref('excluded.box_height'),
          quality: ref('excluded.quality'),
          thumbnail_key: ref('excluded.thumbnail_key'),
          thumbnail_bytes: ref('excluded.thumbnail_bytes'),
          visibility: ref('excluded.visibility'),
        })),
      )
      .execute();
  await putItemsToPeople(trx, [item.id]);
  if (earlierPeople.length > 0) await forgetPeople(trx, earlierPeople);
  return faces.map(({ id }) => id);
};

/** A face, whose it is from now on, and by which likeness to a founding face; `null` where by none. */
export interface GivenFace {
  readonly id: string;
  readonly personId: string | null;
  readonly likeness: number | null;
}

/** Gives faces to people, or to nobody. To be called behind `lockPeople`, where their items are locked and `putItemsToPeople` follows. */
export const giveFaces = async (trx: Database, given: readonly GivenFace[]): Promise<void> => {
  const ids = given.map(({ id }) => id);
  await sql`
    update faces set person_id = given.person_id, joined_at = clock_timestamp()
    from unnest(${ids}::uuid[], ${given.map(({ personId }) => personId)}::uuid[]) as given (id, person_id)
    where faces.id = given.id and faces.person_id is distinct from given.person_id`.execute(trx);
  await sql`
    update face_embeddings set likeness = given.likeness
    from unnest(${ids}::uuid[], ${given.map(({ likeness }) => likeness)}::real[]) as given (id, likeness)
    where face_id = given.id`.execute(trx);
};

/** Makes each of these items, which are locked, one of all the people whose faces are on it, and of nobody else's. */
export const putItemsToPeople = async (trx: Database, mediaItemIds: readonly string[]): Promise<void> => {
  const ids = sql`${mediaItemIds}::uuid[]`;
  await sql`
    delete from collection_items using people
    where collection_items.media_item_id = any(${ids}) and collection_id = people.id and not exists (
      select from faces where faces.media_item_id = collection_items.media_item_id and person_id = people.id
        and faces.visibility <> 'missed')`.execute(trx);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select distinct person_id, item.id, item.local_time, item.visibility
    from faces join media_items as item on item.id = media_item_id
    where item.id = any(${ids}) and person_id is not null and faces.visibility <> 'missed' order by 1, 2 on conflict do nothing`.execute(
    trx,
  );
};

/** Forgets those of these people who have no face any more. To be called behind `lockPeople`. */
export const forgetPeople = async (trx: Database, personIds: readonly string[]): Promise<void> => {
  await sql`
    delete from collections using people
    where collections.id = people.id and people.id = any(${personIds}::uuid[])
      and not exists (select from faces where person_id = people.id)`.execute(trx);
};

/**
 * Deletes people without faces. A person whose face a user took out within the last day is kept, so that this can be undone. Also deletes the people
 * that a merge recorded and that have no face left. Safe to run twice at once. While a user has people switched off, deletes none of theirs: the user
 * cannot undo anything then.
 */
export const forgetPeopleWithoutFaces = async (db: Database): Promise<void> => {
  const { rows: people } = await sql<{ id: string; user_id: string }>`
    select id, user_id from people where not exists (select from faces where person_id = people.id)
      and not exists (select from people_off where user_id = people.user_id)
      and not exists (
        select from face_rejections where person_id = people.id and created_at > now() - interval '1 day')`.execute(db);
  for (const [userId, left] of Map.groupBy(people, (person) => person.user_id)) {
    await transaction(db, async (trx) => {
      await lockPeople(trx, userId);
      await forgetPeople(
        trx,
        left.map(({ id }) => id),
      );
    });
  }
  await sql`
    delete from merged_people where not exists (
      select from merged_faces where merged_faces.person_id = merged_people.id)`.execute(db);
};
