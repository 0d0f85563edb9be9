import { transaction, type Database } from '../connection/database.ts';
import { forgetPeople, lockPeople } from './itemFaces.ts';

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
