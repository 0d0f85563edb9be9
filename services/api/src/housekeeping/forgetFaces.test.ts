import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { acquireLease } from '@hearth/core/db/connection/leases.ts';
import { claimRun, listRuns } from '@hearth/core/db/runs/componentRuns.ts';
import { updateUser } from '@hearth/core/db/accounts/users.ts';
import { faceKey, originalKey } from '@hearth/core/objects/keys.ts';
import { findAllCollectionCountErrors } from '@hearth/core/testing/countErrors.ts';
import { buildMediaItem, buildUser } from '@hearth/core/testing/factories.ts';
import { recognise, seenOn } from '@hearth/core/testing/faces.ts';
import { makeFaces } from '@hearth/core/testing/madeFaces.ts';
import { startTestApi } from '../testing/testApi.ts';
import { forgetSwitchedOffFaces } from './forgetFaces.ts';
import { tasks } from './tasks.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects } = deps;
const lease = (await acquireLease(db, 'housekeeping', randomUUID(), 600_000))!;
after(() => api.stop());

const made = makeFaces(4);

/** A user with a named person on two photos, of which a worker that was killed has left a picture of a face that no row names. */
const buildLibrary = async () => {
  const { id: userId } = await buildUser(db);
  const person = made.person();
  const items = [await buildMediaItem(db, userId), await buildMediaItem(db, userId)];
  const keys: string[] = [];
  const put = async (key: string): Promise<void> => {
    keys.push(key);
    await objects.put(key, Readable.from([Buffer.from('bytes')]));
  };
  for (const item of items) {
    const face = seenOn(item, made.faceOf(person, 0.9));
    await recognise(db, item, [face]);
    await put(originalKey(userId, item.id));
    await put(face.thumbnailKey);
  }
  await put(faceKey(userId, items[1]!.id, 1, { left: 0.5, top: 0.5, width: 0.1, height: 0.1 }));
  const done = { state: 'DONE', finished_at: new Date() } as const;
  await db.updateTable('component_runs').set(done).where('user_id', '=', userId).execute();
  await db.updateTable('people').set({ name: 'Ada' }).where('user_id', '=', userId).execute();
  return { userId, items, keys };
};

const countRows = async (userId: string) => ({
  faces: (
    await db
      .selectFrom('faces')
      .innerJoin('media_items', 'media_items.id', 'media_item_id')
      .select('faces.id')
      .where('user_id', '=', userId)
      .execute()
  ).length,
  embeddings: (await db.selectFrom('face_embeddings').select('face_id').where('user_id', '=', userId).execute()).length,
  people: (await db.selectFrom('people').select('id').where('user_id', '=', userId).execute()).length,
});

const keysOf = async (userId: string): Promise<string[]> =>
  (await api.listKeys()).filter((key) => key.startsWith(userId)).toSorted();

test('who switches people off keeps no face, vector, picture of a face or person, and nobody else loses any', async () => {
  const [leaving, staying] = [await buildLibrary(), await buildLibrary()];
  assert.deepEqual(await countRows(leaving.userId), { faces: 2, embeddings: 2, people: 1 });
  await updateUser(db, leaving.userId, { features: { people: false } });
  await forgetSwitchedOffFaces(deps, lease);
  assert.deepEqual(await countRows(leaving.userId), { faces: 0, embeddings: 0, people: 0 });
  assert.deepEqual(
    await keysOf(leaving.userId),
    leaving.items.map(({ id }) => originalKey(leaving.userId, id)).toSorted(),
  );
  const run = (await listRuns(db, leaving.items[0]!.id)).find(({ component }) => component === 'FACES');
  assert.deepEqual([run?.state, run?.reason], ['SKIPPED', 'FEATURE_OFF']);
  assert.deepEqual(await countRows(staying.userId), { faces: 2, embeddings: 2, people: 1 });
  assert.deepEqual(await keysOf(staying.userId), staying.keys.toSorted());
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
  await forgetSwitchedOffFaces({ ...deps, config: { ...deps.config, featuresOff: ['people'] } }, lease);
  assert.deepEqual(await countRows(staying.userId), { faces: 0, embeddings: 0, people: 0 }, 'nobody has people');
});

test('an item that is being looked at is cleared when that has ended', async () => {
  const { userId, items } = await buildLibrary();
  const running = { state: 'RUNNING', claim_id: randomUUID(), lease_until: new Date(Date.now() + 60_000) } as const;
  await db.updateTable('component_runs').set(running).where('media_item_id', '=', items[0]!.id).execute();
  await updateUser(db, userId, { features: { people: false } });
  await forgetSwitchedOffFaces(deps, lease);
  assert.deepEqual(await countRows(userId), { faces: 1, embeddings: 0, people: 1 });
  const done = { state: 'DONE', claim_id: null, lease_until: null } as const;
  await db.updateTable('component_runs').set(done).where('media_item_id', '=', items[0]!.id).execute();
  await forgetSwitchedOffFaces(deps, lease);
  assert.deepEqual(await countRows(userId), { faces: 0, embeddings: 0, people: 0 });
});

for (const [how, again] of [
  ['is to be looked at again', { state: 'PENDING', attempts: 0, finished_at: null, next_attempt_at: new Date(0) }],
  ['was being looked at by a worker that was killed', { state: 'RUNNING', lease_until: new Date(Date.now() - 60_000) }],
] as const)
  test(`an item that ${how} is cleared too, also where a worker comes by before`, async () => {
    const { userId, items } = await buildLibrary();
    const claim_id = again.state === 'RUNNING' ? randomUUID() : null;
    await db
      .updateTable('component_runs')
      .set({ ...again, claim_id })
      .where('user_id', '=', userId)
      .where('component', '=', 'FACES')
      .execute();
    await updateUser(db, userId, { features: { people: false } });
    for (const { id } of items)
      while ((await claimRun(db, id, 'ml', 60_000))?.component !== undefined) await Promise.resolve();
    await forgetSwitchedOffFaces(deps, lease);
    assert.deepEqual(await countRows(userId), { faces: 0, embeddings: 0, people: 0 });
    assert.deepEqual(await keysOf(userId), items.map(({ id }) => originalKey(userId, id)).toSorted());
    const runs = (await Promise.all(items.map(({ id }) => listRuns(db, id)))).flat();
    const ends = runs.filter(({ component }) => component === 'FACES').map(({ state, reason }) => `${state} ${reason}`);
    assert.deepEqual(ends, ['SKIPPED FEATURE_OFF', 'SKIPPED FEATURE_OFF']);
  });

test('the embeddings of a whole library go at once, before its items are cleared step by step', async () => {
  const { userId } = await buildLibrary();
  await updateUser(db, userId, { features: { people: false } });
  await forgetSwitchedOffFaces(deps, lease, AbortSignal.abort());
  assert.deepEqual(await countRows(userId), { faces: 2, embeddings: 0, people: 1 });
  await forgetSwitchedOffFaces(deps, lease);
  assert.deepEqual(await countRows(userId), { faces: 0, embeddings: 0, people: 0 });
});

test('it is looked for every few seconds', () => {
  const task = tasks.find(({ run }) => run === forgetSwitchedOffFaces);
  assert.deepEqual([task?.lane, task?.everyMs], ['short', 3_000]);
});
