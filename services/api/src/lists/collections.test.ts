import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { fc, runs } from '@hearth/testkit/run/fastCheck.ts';
import { sql } from 'kysely';
import { NotFoundError } from '@hearth/core/log/errors.ts';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { anyAlbumStep } from '@hearth/testkit/rows/albumHistory.ts';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { getAlbum, insertAlbum, updateAlbum } from '../features/albums/queries.ts';
import { rollUpCounts } from './counts.ts';
import { addToCollection, countCollectionItems, listCollectionItems, removeFromCollection } from './collections.ts';
import { findItemCover } from './covers.ts';
import type { ListPosition } from './mediaItemLists.ts';
import { setFlag } from '../features/media-items/queries.ts';
import { setTrashed } from './trashed.ts';

const { db, drop } = await createMigratedDatabase({ maxConnections: 20 });
after(drop);

const rollUpAll = async (): Promise<void> => {
  while ((await rollUpCounts(db, 1_000)) > 0);
};

const buildAlbum = (userId: string): Promise<string> =>
  insertAlbum(db, userId, { name: 'Summer', description: null, isShared: false, isHidden: false });

/** Returns an album's visible items by a plain query on the items, as the reference for stored data. */
const listShown = async (albumId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from media_items join collection_items on id = media_item_id
    where collection_id = ${albumId} and media_items.visibility = 'visible'
    order by media_items.local_time desc, id desc`.execute(db);
  return rows.map(({ id }) => id);
};

/** Asserts that count, cover, every page by number and a walk by cursor match the plain query. */
const expectAlbumRight = async (albumId: string, limit: number): Promise<void> => {
  const expected = await listShown(albumId);
  assert.equal(await countCollectionItems(db, albumId), expected.length);
  const { cover_id: chosen } = await db
    .selectFrom('collections')
    .select('cover_id')
    .where('id', '=', albumId)
    .executeTakeFirstOrThrow();
  const cover = chosen !== null && expected.includes(chosen) ? chosen : expected[0];
  assert.equal((await findItemCover(db, albumId))?.id, cover);
  for (let number = 1; number <= Math.ceil(expected.length / limit) + 1; number++) {
    const { items, totalCount } = await listCollectionItems(db, albumId, { limit, start: { number } });
    assert.deepEqual(
      items.map(({ id }) => id),
      expected.slice((number - 1) * limit, number * limit),
    );
    assert.equal(totalCount, expected.length);
  }
  const walked: string[] = [];
  for (let after: ListPosition | undefined; ;) {
    const start = after === undefined ? { number: 1 } : { after };
    const { items } = await listCollectionItems(db, albumId, { limit, start });
    const last = items.at(-1);
    if (last === undefined || walked.length > expected.length) break;
    walked.push(...items.map(({ id }) => id));
    after = { localTime: last.local_time, id: last.id };
  }
  assert.deepEqual(walked, expected);
};

test('stored album data matches a recount after any history of two libraries and their albums', async () => {
  const history = fc.array(anyAlbumStep, { minLength: 1, maxLength: 50, size: 'max' });
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 9 }), async (steps, limit) => {
      const userIds = [(await buildUser(db)).id, (await buildUser(db)).id];
      const albumId = await buildAlbum(userIds[0]!);
      await addToCollection(db, userIds[0]!, albumId, [(await buildMediaItem(db, userIds[0]!)).id]);
      for (const { run } of steps) await run(db, userIds);
      assert.deepEqual(await findAllCollectionCountErrors(db), []);
      const albums = await db.selectFrom('albums').select('id').execute();
      for (const { id } of albums) await expectAlbumRight(id, limit);
      await rollUpAll();
      assert.deepEqual(await findAllCollectionCountErrors(db), []);
      await db.deleteFrom('users').execute();
      await rollUpAll();
      const left = await sql<{ n: number }>`
        select (select count(*) from counts) + (select count(*) from count_deltas) as n`.execute(db);
      assert.equal(left.rows[0]?.n, 0, 'nothing is left of deleted users');
    }),
    { numRuns: runs(30) },
  );
});

test('stored album data is right after concurrent changes of albums and items with roll-ups in between', async () => {
  const { id: userId } = await buildUser(db);
  const ids = await Promise.all(Array.from({ length: 40 }, async () => (await buildMediaItem(db, userId)).id));
  const albumIds = await Promise.all(Array.from({ length: 3 }, () => buildAlbum(userId)));
  const works = Array.from({ length: 120 }, async (_, n) => {
    const some = ids.filter((__, index) => (index + n) % 3 === 0);
    const inOrder = n % 2 === 0 ? some : some.toReversed();
    const albumId = albumIds[n % albumIds.length]!;
    if (n % 10 === 9) return rollUpCounts(db, 20);
    if (n % 4 === 0) return addToCollection(db, userId, albumId, inOrder);
    if (n % 4 === 1) return removeFromCollection(db, userId, albumId, inOrder);
    if (n % 4 === 2) return setTrashed(db, userId, inOrder, n % 3 === 0);
    return setFlag(db, userId, inOrder, 'hidden', n % 3 === 0);
  });
  await Promise.all(works);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
  for (const albumId of albumIds) await expectAlbumRight(albumId, 7);
});

test('adds and removes nothing if one item is unknown or belongs to another user', async () => {
  const [{ id: userId }, { id: strangerId }] = [await buildUser(db), await buildUser(db)];
  const albumId = await buildAlbum(userId);
  const { id } = await buildMediaItem(db, userId);
  for (const foreign of [randomUUID(), (await buildMediaItem(db, strangerId)).id]) {
    await assert.rejects(addToCollection(db, userId, albumId, [id, foreign]), NotFoundError);
    assert.deepEqual(await listShown(albumId), []);
  }
  await addToCollection(db, userId, albumId, [id]);
  await assert.rejects(removeFromCollection(db, userId, albumId, [id, randomUUID()]), NotFoundError);
  assert.deepEqual(await listShown(albumId), [id]);
});

test('replaces a chosen cover while it is not visible, and restores it', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await buildAlbum(userId);
  const [old, young] = [
    await buildMediaItem(db, userId, { local_time: '2001-01-01T00:00:00' }),
    await buildMediaItem(db, userId, { local_time: '2021-01-01T00:00:00' }),
  ];
  const coverId = async (): Promise<string | undefined> => (await getAlbum(db, userId, albumId)).cover?.id;
  assert.equal(await coverId(), undefined);
  await assert.rejects(updateAlbum(db, userId, albumId, { coverId: old.id }), NotFoundError);
  await addToCollection(db, userId, albumId, [old.id, young.id]);
  assert.equal(await coverId(), young.id);
  await updateAlbum(db, userId, albumId, { coverId: old.id });
  assert.equal(await coverId(), old.id);
  await setTrashed(db, userId, [old.id], true);
  assert.equal(await coverId(), young.id);
  await setTrashed(db, userId, [old.id], false);
  assert.equal(await coverId(), old.id);
  await updateAlbum(db, userId, albumId, { coverId: null });
  assert.equal(await coverId(), young.id);
});

test('reads a page of a large album from one index, by number and by cursor', async () => {
  const { id: userId } = await buildUser(db);
  const albumId = await buildAlbum(userId);
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, type, taken_at, local_time)
    select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, 'PHOTO', now(), timestamp '2022-04-03' - n * interval '1 hour'
    from (select gen_random_uuid() as id, n from generate_series(1, 20000) as n) as items`.execute(db);
  await sql`
    insert into collection_items (collection_id, media_item_id, local_time, visibility)
    select ${albumId}, id, local_time, visibility from media_items where user_id = ${userId}`.execute(db);
  await rollUpAll();
  await sql`vacuum analyze`.execute(db);
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, buffers off, timing off, summary off)
    select media_item_id from collection_items
    where collection_id = ${albumId} and visibility = 'visible' and local_time < '2021-01-01'
    order by local_time desc, media_item_id desc limit 15 offset 3`.execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /collection_items_visible/);
  assert.doesNotMatch(plan, /Sort|Seq Scan/);
  const page = await listCollectionItems(db, albumId, { limit: 15, start: { number: 1_200 } });
  assert.deepEqual(
    page.items.map(({ id }) => id),
    (await listShown(albumId)).slice(1_199 * 15, 1_200 * 15),
  );
});
