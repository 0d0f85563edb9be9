import { sql } from 'kysely';
import type { PersonUpdate } from '@hearth/contract/people.ts';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { hasVisibleItem } from '../../lists/collections.ts';
import { faceCover, readCovered, setCover, withCovers, type Covered } from '../../lists/covers.ts';
import { transaction, type Database } from '@hearth/core/db/database.ts';
import { prepared } from '@hearth/core/db/preparedStatements.ts';
import {
  firstNamePosition,
  cutPage,
  buildPageClauses,
  exactTime,
  getOffset,
  type NamePosition,
  type PageOf,
  type TimePosition,
  type CursorPage,
} from '../../database/pages.ts';
import type { FaceRow, PersonRow } from '@hearth/core/db/schema.ts';
import { columns } from '@hearth/core/db/tables.ts';
import { lockPeople, deletePeopleWithoutFaces } from '@hearth/core/people/itemFaces.ts';

export interface Person extends PersonRow {
  readonly cover: FaceRow;
}

/** Position in a list of people: by name, or for people without one by number of items, then creation time. */
export type PersonPosition = NamePosition | (TimePosition & { readonly itemCount: number });

/**
 * Returns a page of a user's people with visible items, hidden or not, and their total number. Named people come first,
 * by name, then the others by number of items.
 */
export const listPeople = async (
  db: Database,
  userId: string,
  isHidden: boolean,
  page: PageOf<PersonPosition>,
): Promise<CursorPage<Person, PersonPosition> & { readonly totalCount: number }> => {
  const { limit, start } = page;
  const after: PersonPosition = 'after' in start ? start.after : firstNamePosition;
  const { name, itemCount, time } = { name: null, itemCount: null, time: null, ...after };
  // OFFSET forces row-by-row lookups, as in `listExplored`.
  const listed = sql`
    select person.*, listed.total, listed.n as item_count, ${exactTime(sql`person.created_at`)} as time
    from list_people(${userId}, ${isHidden}, ${name}, ${itemCount}, ${time}::timestamp at time zone 'UTC', ${after.id},
      ${getOffset(page)}, ${limit + 1}) with ordinality as listed (id, total, n, nth)
    left join lateral (select * from people where people.id = listed.id offset 0) as person on true
    order by nth`;
  const found = await readCovered<ListedPerson, FaceRow>(
    prepared(db, 'people'),
    [...columns.people, 'total', 'item_count', 'time'],
    listed,
    faceCover,
  );
  const { entries, next } = cutPage(found, limit, ({ row }) => toPosition(row));
  return { entries: withCovers(entries), next, totalCount: found[0]?.row.total ?? 0 };
};

interface ListedPerson extends PersonRow {
  readonly total: number;
  readonly item_count: number;
  readonly time: string;
}

const toPosition = ({ sort_name: name, item_count: itemCount, time, id }: ListedPerson): PersonPosition =>
  name === null ? { itemCount, time, id } : { name, id };

/**
 * Returns a person, hidden or not.
 * @throws NotFoundError, also without visible items or for another user's person
 */
export const getPerson = async (db: Database, userId: string, id: string): Promise<Person> => {
  const row = sql`select * from people where id = ${id} and user_id = ${userId}`;
  const [person] = withCovers(
    await readCovered<PersonRow, FaceRow>(prepared(db, 'person'), columns.people, row, faceCover),
  );
  if (person === undefined) throw new NotFoundError('person');
  return person;
};

/**
 * Returns a page of the people on an item, without hidden ones. Named people come first, by name. The cover is undefined
 * without a visible item.
 */
export const listPeopleOfItem = async (
  db: Database,
  userId: string,
  mediaItemId: string,
  page: PageOf<NamePosition>,
): Promise<CursorPage<Covered<PersonRow, FaceRow>, NamePosition>> => {
  const name = sql`coalesce(sort_name, ${afterAllNames})`;
  const found = await readCovered<PersonRow, FaceRow>(
    prepared(db, 'item_people', page.limit),
    columns.people,
    sql`
      select people.* from people join collection_items on collection_id = people.id
      where media_item_id = ${mediaItemId} and user_id = ${userId} and not is_hidden ${buildPageClauses(page, name)}`,
    faceCover,
  );
  return cutPage(found, page.limit, ({ row }) => ({ name: row.sort_name ?? afterAllNames, id: row.id }));
};

/** Sorts after all names: the last code point. */
const afterAllNames = '\u{10FFFF}';

/**
 * Changes the given fields only; the cover as in `setCover`.
 * @throws NotFoundError for an unknown person, or a cover that is not one of their visible items
 */
export const updatePerson = async (
  db: Database,
  userId: string,
  id: string,
  { name, hidden, coverMediaItemId }: PersonUpdate,
): Promise<void> =>
  transaction(db, async (trx) => {
    await trx
      .updateTable('people')
      .set({ name, is_hidden: hidden, updated_at: sql`now()` })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where(hasVisibleItem('people'))
      .returning('id')
      .executeTakeFirstOrThrow(() => new NotFoundError('person'));
    // The user has chosen this name, so it stays when a merge is reverted.
    if (name !== undefined)
      await trx.updateTable('merged_people').set({ gave_name: false }).where('into_id', '=', id).execute();
    if (coverMediaItemId !== undefined) await setCover(trx, id, coverMediaItemId);
  });

/**
 * Deletes people without faces, including those in the record of a merge. A person whose face a user removed within the
 * last day is kept, so that this can be undone. Skips users with people switched off, who cannot undo anything. Two
 * concurrent calls are safe.
 */
export const deleteUnusedPeople = async (db: Database): Promise<void> => {
  const { rows: people } = await sql<{ id: string; user_id: string }>`
    select id, user_id from people where not exists (select from faces where person_id = people.id)
      and not exists (select from people_off where user_id = people.user_id)
      and not exists (
        select from face_rejections where person_id = people.id and created_at > now() - interval '1 day')`.execute(db);
  for (const [userId, unused] of Map.groupBy(people, (person) => person.user_id)) {
    await transaction(db, async (trx) => {
      await lockPeople(trx, userId);
      await deletePeopleWithoutFaces(
        trx,
        unused.map(({ id }) => id),
      );
    });
  }
  await sql`
    delete from merged_people where not exists (
      select from merged_faces where merged_faces.person_id = merged_people.id)`.execute(db);
};
