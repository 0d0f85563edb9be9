import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { acquireLease } from '../leases/leases.ts';
import { findAnsweringModel } from '../../semantic/answeringModel.ts';
import { writeItemEmbedding } from '@hearth/core/items/itemEmbeddings.ts';
import { writePictureFeatures } from '@hearth/testkit/libraries/pictureFeatures.ts';
import { makeVectors } from '@hearth/testkit/embeddings/generatedEmbeddings.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { changeSearchModel } from './changeSearchModel.ts';
import { groupDuplicates, findUngrouped } from '../groupDuplicates.ts';
import { findItemEmbedding } from '../../semantic/findByEmbedding.ts';

const api = await startTestApi({ config: { searchModel: 'clip-vit-b-32' } });
after(() => api.stop());
const { deps } = api;
const { db } = deps;
const vectors = makeVectors(6);

test('re-embeds pictures with lower priority than uploads, and switches the model when all are done', async () => {
  const { id: userId } = await api.signUp();
  const items = [await buildMediaItem(db, userId), await buildMediaItem(db, userId)];
  const settle = () =>
    db.updateTable('component_runs').set({ state: 'DONE' }).where('component', '=', 'SEARCH').execute();
  for (const item of items) await writeItemEmbedding(db, item, 'tinyclip-vit-8m-16', vectors.next());
  await settle();
  const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
  const states = async () =>
    (await db.selectFrom('component_runs').select('state').where('component', '=', 'SEARCH').execute()).map(
      ({ state }) => state,
    );
  await changeSearchModel(deps, lease);
  assert.deepEqual(await states(), ['PENDING', 'PENDING']);
  assert.equal(await deps.queues.depth('ml'), 2);
  await changeSearchModel(deps, lease);
  assert.equal(await findAnsweringModel(db, userId), 'tinyclip-vit-8m-16');
  for (const item of items) await writeItemEmbedding(db, item, 'clip-vit-b-32', vectors.next());
  await settle();
  await changeSearchModel(deps, lease);
  assert.equal(await findAnsweringModel(db, userId), 'clip-vit-b-32');
  for (const { id } of items) {
    assert.ok(await findItemEmbedding(db, userId, id, 'clip-vit-b-32'));
    assert.equal(await findItemEmbedding(db, userId, id, 'tinyclip-vit-8m-16'), undefined);
  }
  await changeSearchModel(deps, lease);
  assert.deepEqual(await states(), ['DONE', 'DONE']);
});

test('groups photos that exceeded the limit of the transaction that changed their groups', async () => {
  const { id: userId } = await api.signUp();
  const items = [];
  for (let n = 0; n < 5; n += 1) items.push(await buildMediaItem(db, userId));
  const [first, ...others] = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // The first item is close to all others. Without it they form two groups.
  for (const [n, item] of others.entries())
    await writePictureFeatures(db, item, { bits: 8, angle: n % 2 === 0 ? 0.75 : -0.75 });
  await writePictureFeatures(db, first!, { bits: 8, angle: 0, maxSettled: 1 });
  const groups = async () =>
    (await db.selectFrom('picture_hashes').select('group_id').distinct().where('user_id', '=', userId).execute())
      .length;
  const before = await groups();
  const lease = (await acquireLease(db, 'housekeeping, long', randomUUID(), 600_000))!;
  await groupDuplicates(deps, lease);
  assert.deepEqual([before, await groups()], [3, 1]);
  assert.equal(await findUngrouped(db), undefined);
});
