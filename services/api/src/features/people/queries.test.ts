import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { anyPersonStep } from '@hearth/testkit/rows/peopleHistory.ts';
import { rollUpCounts } from '../../lists/counts.ts';
import { listCollectionItems } from '../../lists/collections.ts';
import { getPerson, listPeople, listPeopleOfItem, type PersonPosition, deleteUnusedPeople } from './queries.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);
const all = { limit: 200, start: { number: 1 } };

/** A person as recounted from the rows of all faces and items. */
interface Counted {
  readonly id: string;
  readonly itemIds: readonly string[];
  readonly coverItemId: string;
  readonly coverFaceId: string;
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the expected people in list order, by plain queries, as the reference for stored data. */
const recount = async (userId: string, isHidden: boolean): Promise<Counted[]> => {
  const people = await db
    .selectFrom('people')
    .innerJoin('collections', 'collections.id', 'people.id')
    .select(['people.id', 'name', 'cover_id', 'created_at'])
    .where('people.user_id', '=', userId)
    .where('is_hidden', '=', isHidden)
    .execute();
  const counted = await Promise.all(
    people.map(async (person) => {
      const faces = await db
        .selectFrom('faces')
        .innerJoin('media_items', 'media_items.id', 'media_item_id')
        .select(['faces.id', 'media_item_id', 'quality', 'local_time'])
        .where('person_id', '=', person.id)
        .where('media_items.visibility', '=', 'visible')
        .where('faces.visibility', '<>', 'missed')
        .orderBy('local_time', 'desc')
        .orderBy('media_item_id', 'desc')
        .execute();
      const byQuality = faces.toSorted((a, b) => b.quality - a.quality || (a.id < b.id ? -1 : 1));
      const cover = byQuality.find((face) => face.media_item_id === person.cover_id) ?? byQuality[0];
      return { person, itemIds: [...new Set(faces.map((face) => face.media_item_id))], cover };
    }),
  );
  return counted
    .filter(({ itemIds }) => itemIds.length > 0)
    .toSorted(
      ({ person: a, itemIds: ofA }, { person: b, itemIds: ofB }) =>
        Number(a.name === null) - Number(b.name === null) ||
        collator.compare(a.name ?? '', b.name ?? '') ||
        compare(a.name ?? '', b.name ?? '') ||
        (a.name === null ? ofB.length - ofA.length || b.created_at.getTime() - a.created_at.getTime() : 0) ||
        (a.id < b.id ? -1 : 1),
    )
    .map(({ person, itemIds, cover }) => ({
      id: person.id,
      itemIds,
      coverItemId: cover!.media_item_id,
      coverFaceId: cover!.id,
    }));
};

/** Asserts that lists, counts, covers and items of a user's people match the recount. */
const assertPeopleMatchRecount = async (userId: string, limit: number): Promise<void> => {
  const notHidden = new Set<string>();
  for (const isHidden of [false, true]) {
    const expected = await recount(userId, isHidden);
    let position: PersonPosition | undefined;
    for (let offset = 0; offset < expected.length + limit; offset += limit) {
      const page = { limit, start: { number: offset / limit + 1 } };
      const { entries, next, totalCount } = await listPeople(db, userId, isHidden, page);
      if (position !== undefined) {
        const walked = await listPeople(db, userId, isHidden, { limit, start: { after: position } });
        assert.deepEqual(walked, { entries, next, totalCount });
      }
      assert.equal(next !== undefined, offset + limit < expected.length);
      position = next;
      assert.deepEqual(
        entries.map(({ id, cover }) => [id, cover.media_item_id, cover.id]),
        expected.slice(offset, offset + limit).map((each) => [each.id, each.coverItemId, each.coverFaceId]),
      );
      assert.equal(totalCount, expected.length);
    }
    for (const { id, itemIds, coverFaceId } of expected) {
      const { items, totalCount } = await listCollectionItems(db, id, { limit: 1_000, start: { number: 1 } });
      assert.deepEqual(
        items.map((item) => item.id),
        itemIds,
      );
      assert.equal(totalCount, itemIds.length);
      assert.equal((await getPerson(db, userId, id)).cover.id, coverFaceId);
      if (!isHidden) for (const itemId of itemIds) notHidden.add(`${itemId} ${id}`);
    }
  }
  const items = await db
    .selectFrom('media_items')
    .select('id')
    .where('visibility', '=', 'visible')
    .where(sql<boolean>`id in (select media_item_id from collection_items join people on people.id = collection_id
      where people.user_id = ${userId})`)
    .execute();
  const ofItems = await Promise.all(
    items.map(async ({ id }) =>
      (await listPeopleOfItem(db, userId, id, all)).entries.map(({ row }) => `${id} ${row.id}`),
    ),
  );
  assert.deepEqual(new Set(ofItems.flat()), notHidden);
};

test('stored people match a recount after any history of libraries and their people', async () => {
  const history = fc.array(anyPersonStep, { minLength: 1, maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 5 }), async (steps, limit) => {
      const userIds = [(await buildUser(db)).id, (await buildUser(db)).id];
      for (const { run } of steps) await run(db, userIds);
      for (const userId of userIds) await assertPeopleMatchRecount(userId, limit);
      assert.deepEqual(await findAllCollectionCountErrors(db), []);
      while ((await rollUpCounts(db, 1_000)) > 0);
      assert.deepEqual(await findAllCollectionCountErrors(db), []);
      await deleteUnusedPeople(db);
      await assertConsistent();
      await db.deleteFrom('users').execute();
      assert.equal((await db.selectFrom('collections').select('id').execute()).length, 0);
    }),
    { numRuns: runs(40) },
  );
});

/**
 * Asserts that people have the items of their faces, that faces are visible like their items, and that no person is
 * without a face.
 */
const assertConsistent = async (): Promise<void> => {
  const { rows } = await sql`
    select 'item' as wrong, person_id, media_item_id from (select * from faces where visibility <> 'missed') as faces
    full join (select collection_id as person_id, media_item_id from collection_items
      where collection_id in (select id from people)) as entries using (person_id, media_item_id)
    where faces.id is null or entries.person_id is null
    union all
    select 'visibility', person_id, media_item_id from faces join media_items on media_items.id = media_item_id
    where faces.visibility not in (media_items.visibility, 'missed')
    union all
    select 'person', people.id, null from people left join faces on person_id = people.id where faces.id is null
    union all
    select 'collection', collections.id, null from collections left join people using (id)
    where kind = 'person' and people.id is null`.execute(db);
  assert.deepEqual(rows, []);
};
