import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { listFinishedTasks, recordFinishedTask } from '../../housekeeping/housekeeper.ts';
import { getMediaItem } from '@hearth/core/items/mediaItems.ts';
import { markForRemoval } from './queries.ts';
import { deleteRemovedItems, listItemsForRemoval, listExistingItems, markExpiredTrash } from './removal.ts';
import { setTrashed } from '../../lists/trashed.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const user = await buildUser(db);
beforeEach(() => db.deleteFrom('media_items').execute());

const day = 86_400_000;

const buildTrashed = async (daysAgo: number): Promise<string> => {
  const { id } = await buildMediaItem(db, user.id);
  await setTrashed(db, user.id, [id], true);
  await db
    .updateTable('media_items')
    .set({ deleted_at: new Date(Date.now() - daysAgo * day) })
    .where('id', '=', id)
    .execute();
  return id;
};

const buildMarked = async (): Promise<string> => {
  const id = await buildTrashed(0);
  await markForRemoval(db, user.id, id);
  return id;
};

test('marks only items that were in the trash long enough, once', async () => {
  const [old, older, young] = [await buildTrashed(30.1), await buildTrashed(400), await buildTrashed(29.9)];
  await buildMediaItem(db, user.id, { local_time: '1999-01-01T00:00:00' });
  assert.equal(await markExpiredTrash(db, 30), 2);
  assert.equal(await markExpiredTrash(db, 30), 0);
  const marked = await listItemsForRemoval(db, 10);
  assert.deepEqual(marked.map(({ id }) => id).toSorted(), [old, older].toSorted());
  assert(marked.every(({ userId }) => userId === user.id));
  assert.equal((await getMediaItem(db, user.id, young)).visibility, 'trash');
});

test('lists the longest marked items first', async () => {
  const ids = [await buildMarked(), await buildMarked(), await buildMarked()];
  assert.deepEqual(
    (await listItemsForRemoval(db, 2)).map(({ id }) => id),
    ids.slice(0, 2),
  );
});

test('deletes only marked items, with their runs', async () => {
  const [marked, trashed] = [await buildMarked(), await buildTrashed(1)];
  await deleteRemovedItems(db, [marked, trashed, randomUUID()]);
  await deleteRemovedItems(db, []);
  assert.deepEqual(await listItemsForRemoval(db, 10), []);
  assert.equal((await getMediaItem(db, user.id, trashed)).id, trashed);
  const runs = await db.selectFrom('component_runs').select('media_item_id').distinct().execute();
  assert.deepEqual(runs, [{ media_item_id: trashed }]);
});

test('keeps the original of existing and marked items, and the renditions they reference', async () => {
  const [plain, marked] = [(await buildMediaItem(db, user.id)).id, await buildMarked()];
  const { id: rendered } = await buildMediaItem(db, user.id, {
    preview_key: 'a/preview',
    thumbnail_key: 'a/thumbnail',
  });
  const kept = await listExistingItems(db, [plain, marked, rendered, randomUUID()]);
  assert.deepEqual(
    new Map(kept.map(({ id, renditionKeys }) => [id, renditionKeys])),
    new Map([
      [plain, []],
      [marked, []],
      [rendered, ['a/preview', 'a/thumbnail']],
    ]),
  );
  assert.deepEqual(await listExistingItems(db, []), []);
});

test('records when a task was last finished', async () => {
  assert.deepEqual(await listFinishedTasks(db), new Map());
  await recordFinishedTask(db, 'check counts');
  const first = (await listFinishedTasks(db)).get('check counts')!;
  await recordFinishedTask(db, 'check counts');
  const finished = await listFinishedTasks(db);
  assert.deepEqual([...finished.keys()], ['check counts']);
  assert(finished.get('check counts')! >= first);
});
