import { sql } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import type { Database } from '../connection/database.ts';

/*
 * [Note: People switched off] A user can be without the feature `people` by their own switch or the server's. Then no face is looked for, matched or
 * shown, but the names, faces and embeddings made before are kept for `peopleKeptDays`, so that switching it on again brings them back. The row in
 * `people_off` is the clock. Every API process that has the feature switched on deletes the rows of users who may use it, at its start and every
 * minute. So the clock runs only while no process has it on: during a rollout, and while a rollout is stuck, it starts again and again.
 * Once the removal has begun it is finished, so that nobody is left with half of their people.
 */

/** Days for which names and faces are kept after `people` was switched off. */
export const peopleKeptDays = 30;

type FeaturesOff = readonly FeatureName[] | undefined;

/** Whether the server, or the user in this row of `users`, has people switched off. */
const isSwitchedOff = (featuresOff: FeaturesOff) =>
  sql<boolean>`(${featuresOff?.includes('people') === true} or coalesce(users.features -> 'people' = 'false', false))`;

/** Starts the clock of users who have people switched off. */
export const startPeopleClocks = async (db: Database, featuresOff: FeaturesOff): Promise<void> => {
  await sql`
    insert into people_off (user_id)
    select id from users
    where removing_at is null and ${isSwitchedOff(featuresOff)}
      and not exists (select from people_off where user_id = users.id)
    on conflict do nothing`.execute(db);
};

/** Stops the clock of users, or of one user, who have people switched on, unless their people are being removed at this moment. */
export const stopPeopleClocks = async (db: Database, featuresOff: FeaturesOff, userId?: string): Promise<void> => {
  await sql`
    delete from people_off using users
    where users.id = people_off.user_id and not ${isSwitchedOff(featuresOff)}
      and (forgetting_since is null or forgotten_at is not null)
      and (${userId ?? null}::uuid is null or users.id = ${userId ?? null})`.execute(db);
};

/** Whether no face of this user may be written: people are off, or are being removed. */
export const isPeopleOff = async (db: Database, userId: string, featuresOff: FeaturesOff): Promise<boolean> => {
  const { rows } = await sql`
    select from users where id = ${userId}
      and (${isSwitchedOff(featuresOff)} or exists (select from people_off where user_id = users.id))`.execute(db);
  return rows.length > 0;
};

/** Starts the removal for users whose time is over, and returns every user whose removal is unfinished. */
export const beginForgettingPeople = async (db: Database, featuresOff: FeaturesOff): Promise<readonly string[]> => {
  await sql`
    update people_off set forgetting_since = now() from users
    where users.id = people_off.user_id and ${isSwitchedOff(featuresOff)}
      and forgetting_since is null and since < now() - ${peopleKeptDays} * interval '1 day'`.execute(db);
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from people_off where forgetting_since is not null and forgotten_at is null
    order by user_id`.execute(db);
  return rows.map(({ userId }) => userId);
};
