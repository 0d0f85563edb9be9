import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { NotFoundError } from '../log/errors.ts';
import type { Database } from '../db/database.ts';
import { matchEarlierFaces, type EarlierFaces } from './earlierFaces.ts';
import type { PlacedFace } from './matchFaces.ts';
import type { MediaItemRow } from '../db/schema.ts';

/*
 * [Note: People] A person is a set of faces of one user, and a collection of the items with these faces. A transaction
 * that assigns a face first reads the existing people, so two concurrent ones would create the same person twice.
 * Therefore each transaction that writes faces, or merges or deletes people, starts with `lockPeople`, a lock per user,
 * before it locks any item. A person without faces is deleted with name and cover, because no face could be assigned to
 * them again.
 */

/** Namespace of the advisory lock. */
const lockSpace = 7_301_949;

/**
 * Prevents other transactions from assigning this user's faces until this one ends. Call it before locking any item.
 */
export const lockPeople = async (trx: Database, userId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockSpace}, hashtext(${userId}))`.execute(trx);
};

export interface FoundFace extends PlacedFace {
  /** Rank as the person's picture: the face with the highest quality is the cover. */
  readonly quality: number;
  readonly thumbnailKey: string;
  /** The size of the object at `thumbnailKey`; left out if unknown. */
  readonly thumbnailBytes?: number;
  /**
   * The person, or null if no known face is similar. Then the face keeps its earlier person. A face without one creates
   * a new person, unless `isFounding` is false.
   */
  readonly personId: string | null;
  /**
   * False for a face of poor quality, which must not create a person, see [Note: Faces that are alike]. Default: true.
   */
  readonly isFounding?: boolean;
}

/**
 * Replaces the faces of an item and returns their ids. A face found before keeps its id and user input, so writing the
 * same faces again changes nothing. For other faces see [Note: Faces that are missed]. Requires `lockPeople` and a lock
 * on the item's row.
 * @param earlier the earlier faces, if they were matched already
 * @throws NotFoundError if a person is not the user's or was deleted
 */
export const writeItemFaces = async (
  trx: Database,
  item: Pick<MediaItemRow, 'id' | 'user_id'>,
  found: readonly FoundFace[],
  earlier?: EarlierFaces,
): Promise<readonly string[]> => {
  const { matches, people: earlierPeople } = earlier ?? (await matchEarlierFaces(trx, item.id, found));
  const personIds = [...found.map(({ personId }) => personId), ...earlierPeople];
  const people = await trx
    .selectFrom('people')
    .select('id')
    .where('user_id', '=', item.user_id)
    .where(sql<boolean>`id = any(${personIds}::uuid[])`)
    .execute();
  const existingIds = new Set(people.map(({ id }) => id));
  const newPeople: string[] = [];
  const faces = found.map(({ box, quality, thumbnailKey, thumbnailBytes, personId, isFounding = true }, index) => {
    const before = matches[index];
    const inherited = existingIds.has(before?.person_id ?? '') ? before?.person_id : undefined;
    if (personId !== null && !existingIds.has(personId)) throw new NotFoundError('person');
    const owner = personId ?? inherited ?? (isFounding ? randomUUID() : null);
    if (owner !== null && !existingIds.has(owner)) newPeople.push(owner);
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
  if (newPeople.length > 0) {
    const rows = newPeople.map((id) => ({ id, user_id: item.user_id }));
    await trx.insertInto('people').values(rows).execute();
  }
  // Existing faces stay, with everything that references them.
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
  await updatePeopleOfItems(trx, [item.id]);
  if (earlierPeople.length > 0) await deletePeopleWithoutFaces(trx, earlierPeople);
  return faces.map(({ id }) => id);
};

/** A face with its new person, and its similarity to the founding face that decided this; `null` without one. */
export interface FaceAssignment {
  readonly id: string;
  readonly personId: string | null;
  readonly similarity: number | null;
}

/**
 * Assigns faces to people, or unassigns them. Requires `lockPeople` and locks on the items. Call `updatePeopleOfItems`
 * afterwards.
 */
export const assignFaces = async (trx: Database, assignments: readonly FaceAssignment[]): Promise<void> => {
  const ids = assignments.map(({ id }) => id);
  await sql`
    update faces set person_id = given.person_id, joined_at = clock_timestamp()
    from unnest(${ids}::uuid[], ${assignments.map(({ personId }) => personId)}::uuid[]) as given (id, person_id)
    where faces.id = given.id and faces.person_id is distinct from given.person_id`.execute(trx);
  await sql`
    update face_embeddings set likeness = given.likeness
    from unnest(${ids}::uuid[], ${assignments.map(({ similarity }) => similarity)}::real[]) as given (id, likeness)
    where face_id = given.id`.execute(trx);
};

/** Adds locked items to the collections of all people on them, and removes them from those of other people. */
export const updatePeopleOfItems = async (trx: Database, mediaItemIds: readonly string[]): Promise<void> => {
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

/** Deletes those people who have no faces left. Requires `lockPeople`. */
export const deletePeopleWithoutFaces = async (trx: Database, personIds: readonly string[]): Promise<void> => {
  await sql`
    delete from collections using people
    where collections.id = people.id and people.id = any(${personIds}::uuid[])
      and not exists (select from faces where person_id = people.id)`.execute(trx);
};
