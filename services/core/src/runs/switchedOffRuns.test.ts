import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ComponentName, FeatureName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, type ComponentSpec } from '../config/pipeline.ts';
import { buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { claimRun, listRuns } from './componentRuns.ts';
import { insertMediaItem } from '@hearth/api/features/uploads/insertMediaItem.ts';
import type { ComponentRunRow, Features } from '../db/schema.ts';
import { updateUser } from '@hearth/api/accounts/users.ts';

const { db, drop } = await createMigratedDatabase();
after(drop);

const component = (name: ComponentName, feature?: FeatureName): ComponentSpec => ({
  name,
  ...(feature && { feature }),
  pools: { PHOTO: { name: 'media', concurrency: 1 } },
  version: 1,
  required: false,
});

/** Components in one pool, with one that no feature can switch off. */
const components = [
  component('PLACES', 'places'),
  component('OCR'),
  component('FACES', 'people'),
  component('CLASSIFICATION', 'things'),
];

const insertItem = async (features: Features, featuresOff: readonly 'places'[] = []) => {
  const user = await buildUser(db, { features });
  const { id } = await insertMediaItem(db, newMediaItem(user.id), { components, featuresOff });
  return { userId: user.id, id };
};

const claim = async (id: string, featuresOff: readonly 'places'[] = []) =>
  claimRun(db, id, 'media', 60_000, { components, featuresOff });

/** The components whose runs of an item are in a state, in alphabetical order. */
const componentsIn = async (id: string, state: ComponentRunRow['state']): Promise<string[]> =>
  (await listRuns(db, id))
    .filter((run) => run.state === state)
    .map((run) => run.component)
    .toSorted();

test('a new item begins with what its user has switched off as skipped, with the reason', async () => {
  const { id } = await insertItem({ people: false, things: true, albums: false });
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['FACES']);
  assert.deepEqual(await componentsIn(id, 'PENDING'), ['CLASSIFICATION', 'OCR', 'PLACES']);
  const faces = (await listRuns(db, id)).find((run) => run.component === 'FACES');
  assert.equal(faces?.reason, 'FEATURE_OFF');
  assert.ok(faces.finished_at !== null);
});

test('what is switched off for everybody is skipped for everybody', async () => {
  const { id } = await insertItem({ people: false, places: true }, ['places']);
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['FACES', 'PLACES']);
});

test('what is switched off after the upload is skipped and not begun, what is switched on is begun', async () => {
  const { id, userId } = await insertItem({});
  await updateUser(db, userId, { features: { places: false, things: false, people: false } });
  await updateUser(db, userId, { features: { places: true } });
  const begun = [await claim(id), await claim(id), await claim(id)];
  assert.deepEqual(
    begun.map((run) => run?.component),
    ['PLACES', 'OCR', undefined],
  );
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['CLASSIFICATION', 'FACES']);
});

test('a worker skips what is switched off for everybody though the item began without', async () => {
  const { id } = await insertItem({});
  for (const name of ['OCR', 'FACES', 'CLASSIFICATION']) assert.equal((await claim(id, ['places']))?.component, name);
  assert.equal(await claim(id, ['places']), undefined);
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['PLACES']);
});

test('a run whose worker vanished is skipped too; one under way, done or failed stays as it is', async () => {
  const { id, userId } = await insertItem({});
  for (const name of ['PLACES', 'OCR', 'FACES']) assert.equal((await claim(id))?.component, name);
  const change = (name: ComponentName, changes: Partial<ComponentRunRow>) =>
    db
      .updateTable('component_runs')
      .set(changes)
      .where('media_item_id', '=', id)
      .where('component', '=', name)
      .execute();
  await change('PLACES', { lease_until: new Date(Date.now() - 3_600_000) });
  await change('CLASSIFICATION', { state: 'DONE' });
  await updateUser(db, userId, { features: { places: false, people: false, things: false } });
  assert.equal(await claim(id), undefined);
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['PLACES']);
  assert.deepEqual(await componentsIn(id, 'RUNNING'), ['FACES', 'OCR']);
  assert.deepEqual(await componentsIn(id, 'DONE'), ['CLASSIFICATION']);
});

test('no other item is touched, of the user or of others', async () => {
  const [mine, theirs] = [await insertItem({}), await insertItem({})];
  const { id: second } = await insertMediaItem(db, newMediaItem(mine.userId), { components });
  await updateUser(db, mine.userId, { features: { people: false, places: false } });
  await claim(mine.id);
  for (const id of [second, theirs.id]) assert.deepEqual(await componentsIn(id, 'SKIPPED'), []);
  assert.equal((await claim(theirs.id))?.component, 'PLACES');
});

test('no component that an item cannot be ready without belongs to a feature', () => {
  const required = builtComponents.filter((each) => each.required);
  assert.deepEqual(
    required.filter(({ feature }) => feature !== undefined),
    [],
  );
});

test('an account that is being removed takes no new item', async () => {
  const { id } = await buildUser(db);
  await db.updateTable('users').set({ removing_at: new Date() }).where('id', '=', id).execute();
  await assert.rejects(insertMediaItem(db, newMediaItem(id)), { name: 'NotFoundError', message: 'user not found' });
});
