import { fc } from '../run/fastCheck.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { mergePeople } from '@hearth/api/features/people/mergePeople.ts';
import { hasVisibleItem } from '@hearth/api/lists/collections.ts';
import { updatePerson, deleteUnusedPeople } from '@hearth/api/features/people/queries.ts';
import { separatePeople } from '@hearth/api/features/people/separatePeople.ts';
import type { PersonRow } from '@hearth/core/db/schema.ts';
import { makeFace, writeFaces } from './faces.ts';
import { anyStep, step, type Step } from './libraryHistory.ts';
import { listVisibleItems } from './shownItems.ts';

const anyNumber = fc.nat({ max: 1_000 });

/** Generates a face at a position in a picture. `person` is taken modulo the number of people; null means a new person. */
const anyFace = fc.record({
  place: fc.nat({ max: 3 }),
  person: fc.option(anyNumber, { freq: 3 }),
  quality: fc.constantFrom(0.1, 0.5, 0.5, 0.9),
});

const facesStep = step(
  'faces',
  fc.tuple(anyNumber, fc.array(anyFace, { maxLength: 3 })),
  async (db, _, [number, found]) => {
    const items = await db.selectFrom('media_items').select(['id', 'user_id']).orderBy('id').execute();
    const item = items[number % items.length];
    if (item === undefined) return;
    await writeFaces(db, item, async (trx) => {
      const people = await trx
        .selectFrom('people')
        .select('id')
        .where('user_id', '=', item.user_id)
        .orderBy('id')
        .execute();
      return found.map(({ place, person, quality }) => {
        const personId = person === null ? null : (people[person % people.length]?.id ?? null);
        return makeFace(item, { place, personId, quality });
      });
    });
  },
);

/** Calls `work` with a visible person chosen by number, if there is any, and the other visible people of the same user. */
const withPerson = async (
  db: Database,
  number: number,
  work: (person: PersonRow, others: readonly string[]) => Promise<unknown>,
): Promise<void> => {
  const people = await db.selectFrom('people').selectAll().where(hasVisibleItem('people')).orderBy('id').execute();
  const person = people[number % people.length];
  if (person === undefined) return;
  const others = people.filter(({ user_id, id }) => user_id === person.user_id && id !== person.id);
  await work(
    person,
    others.map(({ id }) => id),
  );
};

const personStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: facesStep, weight: 5 },
  step('merge', fc.tuple(anyNumber, fc.nat({ max: 2 })), (db, _, [number, count]) =>
    withPerson(db, number, (person, others) => mergePeople(db, person.user_id, person.id, others.slice(0, count))),
  ),
  step('separate', anyNumber, async (db, _, number) => {
    const merged = await db
      .selectFrom('merged_people')
      .innerJoin('people', 'people.id', 'into_id')
      .select(['merged_people.id', 'into_id', 'user_id'])
      .where(hasVisibleItem('people'))
      .orderBy('merged_people.id')
      .execute();
    const person = merged[number % merged.length];
    if (person !== undefined) await separatePeople(db, person.user_id, person.into_id, [person.id]);
  }),
  step('name', fc.tuple(anyNumber, fc.constantFrom('Ada', 'ada', 'Zoe', null)), (db, _, [number, name]) =>
    withPerson(db, number, ({ id, user_id }) => updatePerson(db, user_id, id, { name })),
  ),
  step('hide person', fc.tuple(anyNumber, fc.boolean()), (db, _, [number, isHidden]) =>
    withPerson(db, number, ({ id, user_id }) => updatePerson(db, user_id, id, { hidden: isHidden })),
  ),
  step('choose cover', fc.tuple(anyNumber, anyNumber), (db, _, [number, item]) =>
    withPerson(db, number, async ({ id, user_id }) => {
      const shown = await listVisibleItems(db, id);
      await updatePerson(db, user_id, id, { coverMediaItemId: shown[item % shown.length]! });
    }),
  ),
  step('forget', fc.constant(undefined), (db) => deleteUnusedPeople(db)),
);

/** Steps that change which people are shown: through faces, people and their items, and directly in the tables. */
export const anyPersonStep: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: personStep, weight: 3 },
  { arbitrary: anyStep, weight: 2 },
);
