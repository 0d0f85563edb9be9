import { randomBytes, randomUUID } from 'node:crypto';
import { fc } from '../run/fastCheck.ts';
import { sql } from 'kysely';
import { deleteEmptyCounts, rollUpCounts } from '@hearth/api/lists/counts.ts';
import type { Database } from '@hearth/core/db/database.ts';
import { markForRemoval } from '@hearth/api/features/trash/queries.ts';
import { deleteRemovedItems, listItemsForRemoval, markExpiredTrash } from '@hearth/api/features/trash/removal.ts';
import type { MediaItemChanges, MediaItemRow } from '@hearth/core/db/schema.ts';
import { markUserForRemoval } from '@hearth/api/accounts/users.ts';
import { updateMediaItem } from '@hearth/api/features/media-items/queries.ts';
import { setTrashed } from '@hearth/api/lists/trashed.ts';
import { buildMediaItem, buildUser } from './factories.ts';
import { removeAccount } from './removeAccount.ts';

/** A step in the history of two users' libraries. */
export interface Step {
  readonly run: (db: Database, userIds: string[]) => Promise<unknown>;
}

/** Times in two consecutive hours, in other months and years, before 1970, and at the maximum of four-digit years. */
const localTimes = [
  '2022-04-03T12:00:00',
  '2022-04-03T12:59:59.999999',
  '2022-04-03T13:00:00',
  '2022-05-01T00:00:00',
  '2023-01-01T00:00:00',
  '1926-02-28T23:59:59',
  '9999-12-31T23:59:59.999999',
];

/** Generates values for columns that affect counts, and for one that does not. */
const changes: fc.Arbitrary<MediaItemChanges> = fc.record(
  {
    local_time: fc.constantFrom(...localTimes),
    type: fc.constantFrom('PHOTO', 'VIDEO'),
    category: fc.constantFrom('DEFAULT', 'LIVE'),
    status: fc.constantFrom('PROCESSING', 'READY'),
    is_favourite: fc.boolean(),
    is_hidden: fc.boolean(),
    description: fc.constant('not counted'),
  },
  { requiredKeys: [] },
);

const user = fc.nat({ max: 1 });
const index = fc.nat({ max: 1_000 });

/** Makes a step. Failures show its name and values. */
export const step = <Values>(
  name: string,
  values: fc.Arbitrary<Values>,
  run: (db: Database, userIds: string[], values: Values) => Promise<unknown>,
) =>
  values.map(
    (generated): Step =>
      ({
        run: (db, userIds) => run(db, userIds, generated),
        [fc.toStringMethod]: () => `${name} ${fc.stringify(generated)}`,
      }) as Step,
  );

/** Calls `work` with an item chosen by number, if there is any. */
const withItem = async (
  db: Database,
  number: number,
  work: (item: MediaItemRow) => Promise<unknown>,
): Promise<void> => {
  const items = await db.selectFrom('media_items').selectAll().where('removing_at', 'is', null).orderBy('id').execute();
  if (items.length > 0) await work(items[number % items.length]!);
};

/**
 * Generates steps that change one item, or many in one statement, through Hearth's functions or directly. No step moves an
 * item to another user, because Hearth never does. Such an item would stay in the first owner's albums, and removing the
 * second owner would not update the counts of these albums.
 */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  step('insert', fc.tuple(user, changes), (db, users, [user, values]) =>
    buildMediaItem(db, users[user]!, values as object),
  ),
  step('insert many', fc.tuple(user, fc.integer({ min: 1, max: 60 })), (db, users, [user, n]) =>
    insertMany(db, users[user]!, n),
  ),
  step('update', fc.tuple(index, changes), (db, _, [index, values]) =>
    withItem(db, index, ({ id }) => update(db, values).where('id', '=', id).execute()),
  ),
  step('update all', fc.tuple(user, changes), (db, users, [user, values]) =>
    update(db, values).where('user_id', '=', users[user]!).execute(),
  ),
  step('shift all', fc.integer({ min: -90, max: 90 }), (db, _, minutes) =>
    sql`update media_items set local_time = local_time + ${minutes} * interval '1 minute' where local_time < '9000-01-01'`.execute(
      db,
    ),
  ),
  step('upsert', fc.tuple(index, changes), (db, _, [index, values]) =>
    withItem(db, index, (item) => upsert(db, item, values)),
  ),
  step('hide', fc.tuple(index, fc.boolean()), (db, _, [index, isHidden]) =>
    withItem(db, index, ({ id, user_id }) => updateMediaItem(db, user_id, id, { hidden: isHidden })),
  ),
  step('trash', fc.tuple(index, fc.boolean()), (db, _, [index, isTrashed]) =>
    withItem(db, index, ({ id, user_id }) => setTrashed(db, user_id, [id], isTrashed)),
  ),
  step('mark', index, (db, _, index) => withItem(db, index, ({ id, user_id }) => markForRemoval(db, user_id, id))),
  step('mark all', fc.constant(-1), (db, _, days) => markExpiredTrash(db, days)),
  step('remove', fc.integer({ min: 1, max: 20 }), async (db, _, limit) =>
    deleteRemovedItems(
      db,
      (await listItemsForRemoval(db, limit)).map(({ id }) => id),
    ),
  ),
  step('delete', fc.tuple(user, fc.boolean()), (db, users, [user, is_favourite]) =>
    db.deleteFrom('media_items').where('user_id', '=', users[user]!).where('is_favourite', '=', is_favourite).execute(),
  ),
  step('delete user', user, async (db, users, user) => {
    await markUserForRemoval(db, users[user]!);
    await removeAccount(db, users[user]!);
    users[user] = (await buildUser(db)).id;
  }),
  step('roll up', fc.integer({ min: 1, max: 40 }), (db, _, limit) => rollUpCounts(db, limit)),
  step('tidy', fc.constant(undefined), (db) => deleteEmptyCounts(db, 5)),
);

const update = (db: Database, values: MediaItemChanges) =>
  db.updateTable('media_items').set({ ...values, updated_at: sql`now()` });

/** Inserts items by one statement, over a span of seventy minutes. */
const insertMany = async (db: Database, userId: string, n: number): Promise<void> => {
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
    select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(),
      timestamp '2022-04-03 12:00' + random() * interval '70 minutes'
    from (select gen_random_uuid() as id from generate_series(1, ${n}::int)) as ids`.execute(db);
};

/** Updates one item and inserts another in one statement, so that both triggers run. */
const upsert = async (db: Database, existing: MediaItemRow, values: MediaItemChanges): Promise<void> => {
  const { visibility: _, ...item } = existing;
  const other = { ...item, id: randomUUID(), checksum: randomBytes(32) };
  await db
    .insertInto('media_items')
    .values([item, other])
    .onConflict((on) => on.column('id').doUpdateSet({ ...values, updated_at: sql`now()` }))
    .execute();
};
