import { sql } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import { transaction, type Database } from '../connection/database.ts';
import { forgetPeople, lockPeople } from './itemFaces.ts';
import { forgetKeptFaces } from './userFaces.ts';

/*
 * [Note: People switched off] While a user does not have the feature `people`, nothing is kept by which anybody could be recognised: neither faces nor
 * embeddings, nor pictures of faces, nor people with their names. A run of FACES of such a user that is neither skipped nor being worked on may have
 * left some. So for each of these runs its item is cleared, objects first, and the run is then skipped as one that never began. A large library takes
 * minutes, so the embeddings of all of it go before. Whoever
 * switches people on again has to have the library looked at anew.
 */

/** Whether a user does not have the feature `people`, of their own or as nobody has it. */
export const isPeopleOff = async (
  db: Database,
  userId: string,
  featuresOff: readonly FeatureName[] | undefined,
): Promise<boolean> => {
  if (featuresOff?.includes('people') === true) return true;
  const { rows } = await sql`
    select from users where id = ${userId} and features -> 'people' = 'false'`.execute(db);
  return rows.length > 0;
};

/** Removes the embeddings of users who have people switched off: nobody can be recognised by what is left. */
export const forgetEmbeddings = async (
  db: Database,
  featuresOff: readonly FeatureName[] | undefined,
): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    select id from users where (${featuresOff?.includes('people') === true} or features -> 'people' = 'false')
      and exists (select from face_embeddings where user_id = users.id)`.execute(db);
  for (const { id } of rows)
    await transaction(db, async (trx) => {
      await lockPeople(trx, id);
      if (!(await isPeopleOff(trx, id, featuresOff))) return;
      await sql`delete from face_embeddings where user_id = ${id}`.execute(trx);
      forgetKeptFaces(id);
    });
};

export interface ItemToClear {
  readonly id: string;
  readonly userId: string;
}

/** Items that may have faces or pictures of faces, of users who have people switched off. */
export const listItemsToClear = async (
  db: Database,
  featuresOff: readonly FeatureName[] | undefined,
  limit: number,
): Promise<ItemToClear[]> => {
  const { rows } = await sql<ItemToClear>`
    select media_item_id as id, user_id as "userId" from component_runs
    where component = 'FACES' and reason is distinct from 'FEATURE_OFF'
      and (state <> 'RUNNING' or lease_until < clock_timestamp())
      and user_id in (
        select id from users where ${featuresOff?.includes('people') === true} or features -> 'people' = 'false')
    limit ${limit}`.execute(db);
  return rows;
};

/** Forgets the faces of these items of one user, whose pictures are gone, and the people who have no others. */
export const forgetFaces = async (db: Database, userId: string, mediaItemIds: readonly string[]): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    const { rows: items } = await sql<{ id: string }>`
      select id from media_items where id = any(${mediaItemIds}::uuid[]) order by id for no key update`.execute(trx);
    const ids = sql`${items.map(({ id }) => id)}::uuid[]`;
    await forgetItemFaces(
      trx,
      userId,
      items.map(({ id }) => id),
    );
    await sql`
      update component_runs set
        state = 'SKIPPED', reason = 'FEATURE_OFF', blocked_on = null, claim_id = null, lease_until = null, progress = null,
        finished_at = now(), job_id = null, earlier = null
      where component = 'FACES' and media_item_id = any(${ids})
        and (state <> 'RUNNING' or lease_until < clock_timestamp())`.execute(trx);
  });

/**
 * Forgets all faces of these items, also those of which a user has said something, and the people who have no others. To be called behind `lockPeople`,
 * where the items are locked.
 */
export const forgetItemFaces = async (
  trx: Database,
  userId: string,
  mediaItemIds: readonly string[],
): Promise<void> => {
  const ids = sql`${mediaItemIds}::uuid[]`;
  // Who has no face any more because a user has taken the last one out goes with that face.
  const { rows: waiting } = await sql<{ personId: string }>`
    select distinct face_rejections.person_id as "personId" from face_rejections join faces on faces.id = face_id
    where media_item_id = any(${ids})`.execute(trx);
  const { rows } = await sql<{ personId: string | null }>`
    delete from faces where media_item_id = any(${ids}) returning person_id as "personId"`.execute(trx);
  await sql`
    delete from collection_items using people where media_item_id = any(${ids}) and collection_id = people.id`.execute(
    trx,
  );
  await forgetPeople(
    trx,
    [...waiting, ...rows].map(({ personId }) => personId).filter((id) => id !== null),
  );
  forgetKeptFaces(userId);
};
