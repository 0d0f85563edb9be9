import { sql } from 'kysely';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import type { Database } from '../db/database.ts';

/*
 * [Note: People switched off] Users and the server can each switch the feature `people` off. Then no face is detected,
 * matched or shown. Existing names, faces and embeddings are kept for `peopleKeptDays`, so that switching the feature
 * on again restores them. The row in `people_off` is the clock. Every API process with the feature switched on deletes
 * the rows of users who may use it, at its start and every minute. So the clock runs only while no process has the
 * feature on. During a rollout, even one that does not finish, it restarts every minute. A deletion that has started
 * always finishes, even if the feature is switched on meanwhile: no user is left with half of their people.
 */

/** Days to keep names and faces after `people` was switched off. */
export const peopleKeptDays = 30;

type FeaturesOff = readonly FeatureName[] | undefined;

/** Condition that people is switched off by the server, or by the user in this row of `users`. */
const isSwitchedOff = (featuresOff: FeaturesOff) =>
  sql<boolean>`(${featuresOff?.includes('people') === true} or coalesce(users.features -> 'people' = 'false', false))`;

/** Starts the clock of users with people switched off. */
export const startPeopleClocks = async (db: Database, featuresOff: FeaturesOff): Promise<void> => {
  await sql`
    insert into people_off (user_id)
    select id from users
    where removing_at is null and ${isSwitchedOff(featuresOff)}
      and not exists (select from people_off where user_id = users.id)
    on conflict do nothing`.execute(db);
};

/** Stops the clock of users with people switched on, or of `userId` only, unless their people are being deleted. */
export const stopPeopleClocks = async (db: Database, featuresOff: FeaturesOff, userId?: string): Promise<void> => {
  await sql`
    delete from people_off using users
    where users.id = people_off.user_id and not ${isSwitchedOff(featuresOff)}
      and (forgetting_since is null or forgotten_at is not null)
      and (${userId ?? null}::uuid is null or users.id = ${userId ?? null})`.execute(db);
};

/** Returns true while people is off or being deleted. No face of this user may be written then. */
export const isPeopleOff = async (db: Database, userId: string, featuresOff: FeaturesOff): Promise<boolean> => {
  const { rows } = await sql`
    select from users where id = ${userId}
      and (${isSwitchedOff(featuresOff)} or exists (select from people_off where user_id = users.id))`.execute(db);
  return rows.length > 0;
};

/** Starts the deletion for users whose clock has run out. Returns all users with an unfinished deletion. */
export const startDeletingPeople = async (db: Database, featuresOff: FeaturesOff): Promise<readonly string[]> => {
  await sql`
    update people_off set forgetting_since = now() from users
    where users.id = people_off.user_id and ${isSwitchedOff(featuresOff)}
      and forgetting_since is null and since < now() - ${peopleKeptDays} * interval '1 day'`.execute(db);
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from people_off where forgetting_since is not null and forgotten_at is null
    order by user_id`.execute(db);
  return rows.map(({ userId }) => userId);
};
