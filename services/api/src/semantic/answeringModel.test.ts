import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildMediaItem, buildUser } from '@hearth/testkit/rows/factories.ts';
import { makeVectors } from '@hearth/testkit/embeddings/generatedEmbeddings.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { deleteEarlierEmbeddings, findAnsweringModel, listModelChanges, stepModelChange } from './answeringModel.ts';
import { findItemEmbedding } from './findByEmbedding.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);
const vectors = makeVectors(5);
const [earlier, wanted] = ['tinyclip-vit-8m-16', 'clip-vit-b-32'] as const;

const settle = (ids: readonly string[], state: 'DONE' | 'FAILED') =>
  db
    .updateTable('component_runs')
    .set({ state, finished_at: new Date() })
    .where('component', '=', 'SEARCH')
    .where('media_item_id', 'in', ids)
    .execute();

test('uses the old model until all items have new embeddings, then deletes the old ones', async () => {
  const { id: userId } = await buildUser(db);
  const { id: other } = await buildUser(db);
  assert.equal(await findAnsweringModel(db, userId), undefined);
  const items = [];
  for (let i = 0; i < 4; i += 1) {
    const item = await buildMediaItem(db, userId);
    items.push(item);
    await writeItemEmbedding(db, item, earlier, vectors.next());
  }
  const ids = items.map(({ id }) => id).toSorted();
  await settle(ids, 'DONE');
  const stranger = await buildMediaItem(db, other);
  await writeItemEmbedding(db, stranger, wanted, vectors.next());
  assert.deepEqual(await listModelChanges(db, wanted), [userId]);
  assert.deepEqual(await listModelChanges(db, earlier), [other]);

  // Restarts items by id, up to the limit.
  const step = async (limit: number) => {
    const { runs, isSwitched } = await stepModelChange(db, userId, wanted, limit);
    return { ids: runs.map(({ mediaItemId }) => mediaItemId).toSorted(), isSwitched };
  };
  assert.deepEqual(await step(3), { ids: ids.slice(0, 3), isSwitched: false });
  assert.deepEqual(await step(3), { ids: ids.slice(3), isSwitched: false });
  assert.deepEqual(await step(3), { ids: [], isSwitched: false });

  const write = async (id: string, model: typeof wanted | typeof earlier): Promise<void> => {
    await writeItemEmbedding(db, { id, user_id: userId }, model, vectors.next());
    await settle([id], 'DONE');
  };
  await write(ids[0]!, wanted);
  await write(ids[1]!, wanted);
  // Simulates a worker that does not know about the change yet.
  await write(ids[2]!, earlier);
  assert.equal(await findAnsweringModel(db, userId), earlier);
  // The last item cannot be re-embedded, so the change does not wait for it.
  await settle([ids[3]!], 'FAILED');
  assert.deepEqual(await step(9), { ids: [], isSwitched: false });
  assert.deepEqual(await step(9), { ids: [ids[2]], isSwitched: false });
  assert.equal(await deleteEarlierEmbeddings(db, userId), 0);
  await write(ids[2]!, wanted);
  assert.deepEqual(await step(9), { ids: [], isSwitched: true });
  assert.equal(await findAnsweringModel(db, userId), wanted);
  assert.deepEqual(await listModelChanges(db, wanted), [userId]);
  assert.equal(await deleteEarlierEmbeddings(db, userId), 4);
  assert.equal(await deleteEarlierEmbeddings(db, userId), 0);
  assert.deepEqual(await listModelChanges(db, wanted), []);
  for (const [at, id] of ids.entries()) {
    assert.equal(await findItemEmbedding(db, userId, id, earlier), undefined);
    assert.equal((await findItemEmbedding(db, userId, id, wanted)) === undefined, at === 3);
  }
  assert.ok(await findItemEmbedding(db, other, stranger.id, wanted));
});
