import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { acquireLease } from './leases/leases.ts';
import { claimRun, listRuns } from '@hearth/core/runs/componentRuns.ts';
import { components } from '@hearth/core/config/pipeline.ts';
import { faceKey, isFaceKey } from '@hearth/core/objects/keys.ts';
import { findAllCollectionCountErrors } from '@hearth/testkit/rows/countErrors.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient } from '@hearth/testkit/api/client.ts';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';
import { leaseNames, startHousekeeper } from './housekeeper.ts';
import { deleteSwitchedOffPeople, updatePeopleClocks } from './peopleOff.ts';
import { restartOutdated } from './runs/restartOutdated.ts';
import { deleteUnusedPeople } from '../features/people/queries.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects } = deps;
const off = await startTestApi({ sharedWith: api, config: { featuresOff: ['people'] } });
const lease = (await acquireLease(db, leaseNames.short, randomUUID(), 600_000))!;
const longLease = (await acquireLease(db, leaseNames.long, randomUUID(), 600_000))!;
after(async () => {
  await off.stop();
  await api.stop();
});

const query = async (text: string, values: readonly unknown[] = []) => queryOnce(deps.config.databaseUrl, text, values);

const facesOnly = components.filter(({ name }) => name === 'FACES');

const generator = makeFaceGenerator(4);

const put = async (key: string): Promise<void> => {
  await objects.put(key, Readable.from([Buffer.from('bytes')]));
};

/** Creates a user whose people have a name, a chosen cover, a merge and a removed face. One face picture has no row. */
const buildLibrary = async () => {
  const user = await api.signUp();
  const { call, id: userId } = user;
  const looks = [generator.person(), generator.person(), generator.person()];
  const photos = [await user.uploadPhoto(), await user.uploadPhoto(), await user.uploadPhoto()];
  const ids: string[] = [];
  for (const [nth, id] of photos.entries()) {
    const item = { id, user_id: userId };
    const faces = looks
      .slice(nth)
      .map((look, place) => makeDetectedFace(item, generator.makeFace(look, 0.9), { place }));
    await recognise(db, item, faces);
    for (const { thumbnailKey } of faces) await put(thumbnailKey);
    const people = (await call('listMediaItemPeople', { params: { id } })).body;
    ids.push(...people.map((person) => person.id).filter((person) => !ids.includes(person)));
  }
  await put(faceKey(userId, photos[1]!, 1, { left: 0.5, top: 0.5, width: 0.1, height: 0.1 }));
  await db
    .updateTable('component_runs')
    .set({ state: 'DONE', reason: null, finished_at: new Date() })
    .where('user_id', '=', userId)
    .execute();
  const last = (await call('listMediaItemPeople', { params: { id: photos[2]! } })).body[0]!.id;
  const [other, removed] = ids.filter((id) => id !== last);
  const body = { name: 'Ada', coverMediaItemId: photos[1]! };
  assert.equal((await call('updatePerson', { params: { id: last }, body })).status, 204);
  assert.equal((await call('mergePeople', { params: { id: last }, body: { people: [other] } })).status, 204);
  const { body: shows } = await call('listPersonMediaItems', { params: { id: removed! } });
  const mediaItems = shows.map(({ id }) => id);
  assert.equal((await call('removeFromPerson', { params: { id: removed! }, body: { mediaItems } })).status, 204);
  return { user, photos };
};

/** All stored data about a user's people, and the keys of the face pictures. */
const readPeopleData = async ({ id }: TestUser) => {
  const mine = '(select id from media_items where user_id = $1)';
  const persons = '(select id from people where user_id = $1)';
  const tables = {
    people: 'user_id = $1',
    collections: "user_id = $1 and kind = 'person'",
    collection_items: `collection_id in ${persons}`,
    faces: `media_item_id in ${mine}`,
    face_embeddings: 'user_id = $1',
    face_rejections: `person_id in ${persons}`,
    merged_people: `person_id in ${persons}`,
    merged_faces: `face_id in (select id from faces where media_item_id in ${mine})`,
  };
  const rows: Record<string, unknown> = {};
  for (const [table, where] of Object.entries(tables)) {
    // Excludes age columns, which the test changes.
    const columns = table === 'face_rejections' ? 'face_id, person_id' : '*';
    rows[table] = await query(`select ${columns} from ${table} where ${where} order by 1, 2`, [id]);
  }
  rows['pictures'] = (await api.listKeys()).filter((key) => key.startsWith(id) && isFaceKey(key));
  return rows;
};

const countPeopleData = async (user: TestUser): Promise<number> =>
  Object.values(await readPeopleData(user)).flat().length;

const setPeople = async ({ id }: TestUser, people: boolean): Promise<void> => {
  const { status } = await api.callAsAdmin('updateUser', { params: { id }, body: { features: { people } } });
  assert.equal(status, 204);
};

/** Runs the tasks of one replica `days` after the previous call. */
const runPeopleTasks = async (replica: TestApi, days = 0): Promise<void> => {
  await query(`update people_off set since = since - ${days} * interval '1 day'`);
  await query(`
    update face_rejections set created_at = created_at - ${days} * interval '1 day'
    where person_id in (select people.id from people join people_off using (user_id))`);
  await updatePeopleClocks(replica.deps);
  await deleteSwitchedOffPeople(replica.deps, longLease);
  await deleteUnusedPeople(db);
};

const assertNothingShown = async (replica: TestApi, { token }: TestUser, item: string): Promise<void> => {
  const call = createClient(replica.url, `Bearer ${token}`);
  assert.equal((await call('listPeople')).status, 404);
  assert.equal((await call('listMediaItemPeople', { params: { id: item } })).status, 404);
  assert.deepEqual((await call('searchMediaItems', { query: { q: 'Ada' } })).body, []);
  assert.equal((await call('getFeatures')).body.people, false);
};

for (const [scope, replica] of [
  ['for a user', api],
  ['for the whole server', off],
] as const)
  test(`restores people exactly if they are switched off ${scope} and on again within 30 days`, async () => {
    const { user, photos } = await buildLibrary();
    const before = await readPeopleData(user);
    if (replica === api) await setPeople(user, false);
    await runPeopleTasks(replica);
    await runPeopleTasks(replica, 29);
    await assertNothingShown(replica, user, photos[0]!);
    if (replica === api) await setPeople(user, true);
    await updatePeopleClocks(deps);
    assert.deepEqual(await readPeopleData(user), before);
    assert.equal((await user.call('searchMediaItems', { query: { q: 'Ada' } })).body.length, 3);
    await runPeopleTasks(replica, 2);
    assert.ok((await countPeopleData(user)) > 0, 'the 30 days start again');
    await runPeopleTasks(api);
  });

test('deletes all people of a user after 30 days with the feature off, and reprocesses photos when it is on again', async () => {
  const [leaving, staying] = [await buildLibrary(), await buildLibrary()];
  const kept = await readPeopleData(staying.user);
  await setPeople(leaving.user, false);
  await runPeopleTasks(api);
  await runPeopleTasks(api, 31);
  assert.equal(await countPeopleData(leaving.user), 0);
  assert.deepEqual(await readPeopleData(staying.user), kept);
  assert.deepEqual(await findAllCollectionCountErrors(db), []);
  const runs = await listRuns(db, leaving.photos[0]!);
  const run = runs.find(({ component }) => component === 'FACES');
  assert.deepEqual([run?.state, run?.reason], ['SKIPPED', 'FEATURE_OFF']);
  await setPeople(leaving.user, true);
  await restartOutdated(deps, lease);
  for (const id of leaving.photos) assert.equal((await claimFaces(id))?.component, 'FACES');
});

test('completes an interrupted removal even after the feature was switched on again', async () => {
  const { user, photos } = await buildLibrary();
  await setPeople(user, false);
  await runPeopleTasks(api);
  await query("update people_off set since = since - interval '31 days'");
  await deleteSwitchedOffPeople(deps, longLease, AbortSignal.abort());
  await setPeople(user, true);
  await restartOutdated(deps, lease);
  assert.equal(await claimFaces(photos[0]!), undefined);
  await runPeopleTasks(api);
  assert.equal(await countPeopleData(user), 0);
  await runPeopleTasks(api);
  await restartOutdated(deps, lease);
  assert.equal((await claimFaces(photos[0]!))?.component, 'FACES');
});

test('processes photos that were uploaded or pending while the feature was off, once it is on', async () => {
  const { user, photos } = await buildLibrary();
  const waiting = { state: 'PENDING', attempts: 0, finished_at: null, next_attempt_at: new Date(0) } as const;
  await db
    .updateTable('component_runs')
    .set(waiting)
    .where('media_item_id', '=', photos[0]!)
    .where('component', '=', 'FACES')
    .execute();
  const before = await countPeopleData(user);
  await setPeople(user, false);
  const uploaded = await user.uploadPhoto();
  const { status, ...done } = { status: 'READY' as const, state: 'DONE' as const, finished_at: new Date() };
  await db.updateTable('media_items').set({ status }).where('id', '=', uploaded).execute();
  await db
    .updateTable('component_runs')
    .set(done)
    .where('media_item_id', '=', uploaded)
    .where('state', '=', 'PENDING')
    .execute();
  for (const id of [photos[0]!, uploaded]) {
    assert.equal(await claimFaces(id), undefined);
    const faces = (await listRuns(db, id)).find(({ component }) => component === 'FACES');
    assert.deepEqual([faces?.state, faces?.reason], ['SKIPPED', 'FEATURE_OFF']);
  }
  await restartOutdated(deps, lease);
  assert.equal(await claimFaces(uploaded), undefined);
  assert.equal(await countPeopleData(user), before);
  await setPeople(user, true);
  await restartOutdated(off.deps, lease);
  assert.equal(await claimFaces(uploaded), undefined, 'the server has people off');
  await restartOutdated(deps, lease);
  for (const id of [photos[0]!, uploaded]) assert.equal((await claimFaces(id))?.component, 'FACES');
});

test('deletes nothing while any replica has the feature on, even one without the lease', async () => {
  const { user } = await buildLibrary();
  const before = await countPeopleData(user);
  await runPeopleTasks(off);
  // The test holds the leases, like a replica whose rollout is stuck.
  const housekeeper = startHousekeeper(deps);
  await waitUntil(
    'the replica with people on has stopped the clock',
    async () => (await findClock(user)) === undefined,
  );
  await housekeeper.stop();
  await runPeopleTasks(off, 29);
  await runPeopleTasks(off, 29);
  const second = startHousekeeper(deps);
  await waitUntil('it has stopped the clock again', async () => (await findClock(user)) === undefined);
  await second.stop();
  await runPeopleTasks(off, 31);
  assert.equal(await countPeopleData(user), before);
  await runPeopleTasks(off, 31);
  assert.equal(await countPeopleData(user), 0, 'no replica has had people on for 31 days');
});

const findClock = async ({ id }: TestUser) =>
  db.selectFrom('people_off').select('since').where('user_id', '=', id).executeTakeFirst();

const claimFaces = async (id: string) => claimRun(db, id, 'ml', 60_000, { components: facesOnly });
