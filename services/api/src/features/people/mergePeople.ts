import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { hasVisibleItem } from '../../lists/collections.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { lockPeople } from '@hearth/core/people/itemFaces.ts';
import { mergeInto } from '@hearth/core/people/mergeInto.ts';
import { recordMerge } from '@hearth/core/people/recordMerge.ts';

/**
 * Merges people into the person `id`, which gets all faces, and keeps its cover and visibility. It keeps its name, or
 * gets the first name among the others. `separatePeople` reverts this. `otherIds` may include `id`.
 * @throws NotFoundError if one of them is not the user's or has no visible item; then nothing changes
 */
export const mergePeople = async (
  db: Database,
  userId: string,
  id: string,
  otherIds: readonly string[],
): Promise<void> =>
  transaction(db, async (trx) => {
    await lockPeople(trx, userId);
    const ids = [...new Set([id, ...otherIds])];
    const people = await trx
      .selectFrom('people')
      .select(['id', 'name'])
      .where('user_id', '=', userId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(hasVisibleItem('people'))
      .orderBy('id')
      .forUpdate()
      .execute();
    if (people.length < ids.length) throw new NotFoundError('person');
    const [, ...merged] = ids;
    if (merged.length === 0) return;
    const names = new Map(people.map((person) => [person.id, person.name]));
    const namedId = ids.find((each) => (names.get(each) ?? null) !== null);
    await recordMerge(trx, id, merged, namedId === id ? undefined : namedId);
    await mergeInto(trx, userId, id, merged);
    await trx
      .updateTable('people')
      .set({ name: names.get(namedId ?? id) ?? null, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute();
  });
