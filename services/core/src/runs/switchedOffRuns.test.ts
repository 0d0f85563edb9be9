import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ComponentName, FeatureName } from '@hearth/contract/vocabulary.ts';
import { components as builtComponents, type ComponentSpec } from '../config/pipeline.ts';
import { buildUser, newMediaItem } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { claimRun, listRuns } from './componentRuns.ts';
import { insertMediaItem } from '@hearth/api/ingest/insertMediaItem.ts';
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

/** Components in one pool, one of them without a feature. */
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

/** Returns the components with runs in this state, sorted by name. */
const componentsIn = async (id: string, state: ComponentRunRow['state']): Promise<string[]> =>
  (await listRuns(db, id))
    .filter((run) => run.state === state)
    .map((run) => run.component)
    .toSorted();

test('creates skipped runs for features that the user has switched off, with the reason', async () => {
  const { id } = await insertItem({ people: false, things: true, albums: false });
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['FACES']);
  assert.deepEqual(await componentsIn(id, 'PENDING'), ['CLASSIFICATION', 'OCR', 'PLACES']);
  const faces = (await listRuns(db, id)).find((run) => run.component === 'FACES');
  assert.equal(faces?.reason, 'FEATURE_OFF');
  assert.ok(faces.finished_at !== null);
});

test('skips features that are switched off for all users', async () => {
  const { id } = await insertItem({ people: false, places: true }, ['places']);
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['FACES', 'PLACES']);
});

test('skips components switched off after the upload, and runs those that are switched on again', async () => {
  const { id, userId } = await insertItem({});
  await updateUser(db, userId, { features: { places: false, things: false, people: false } });
  await updateUser(db, userId, { features: { places: true } });
  const claims = [await claim(id), await claim(id), await claim(id)];
  assert.deepEqual(
    claims.map((run) => run?.component),
    ['PLACES', 'OCR', undefined],
  );
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['CLASSIFICATION', 'FACES']);
});

test('skips components switched off for all users after the item was created', async () => {
  const { id } = await insertItem({});
  for (const name of ['OCR', 'FACES', 'CLASSIFICATION']) assert.equal((await claim(id, ['places']))?.component, name);
  assert.equal(await claim(id, ['places']), undefined);
  assert.deepEqual(await componentsIn(id, 'SKIPPED'), ['PLACES']);
});

test('skips a run whose worker vanished, but not one that is active, done or failed', async () => {
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

test('changes no other items, of this user or of others', async () => {
  const [mine, theirs] = [await insertItem({}), await insertItem({})];
  const { id: second } = await insertMediaItem(db, newMediaItem(mine.userId), { components });
  await updateUser(db, mine.userId, { features: { people: false, places: false } });
  await claim(mine.id);
  for (const id of [second, theirs.id]) assert.deepEqual(await componentsIn(id, 'SKIPPED'), []);
  assert.equal((await claim(theirs.id))?.component, 'PLACES');
});

test('assigns no feature to a required component', () => {
  const required = builtComponents.filter((each) => each.required);
  assert.deepEqual(
    required.filter(({ feature }) => feature !== undefined),
    [],
  );
});

test('rejects an item for an account that is being deleted', async () => {
  const { id } = await buildUser(db);
  await db.updateTable('users').set({ removing_at: new Date() }).where('id', '=', id).execute();
  await assert.rejects(insertMediaItem(db, newMediaItem(id)), { name: 'NotFoundError', message: 'user not found' });
});
