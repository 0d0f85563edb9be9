import assert from 'node:assert/strict';
import { chmod, chown, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { assertStopped, getKey, startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { deps } = api;
const fixture = await startScrubFixture(api);
const { newUser, store, scrub, listResults, readState, put } = fixture;
after(() => api.stop());
afterEach(() => fixture.clear());

/** Gives a folder to `nobody` and switches this process to that user, because permissions do not apply to root. */
const giveToNobody = async (folder: string): Promise<void> => {
  const nobody = 65_534;
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), nobody, nobody);
  await chown(folder, nobody, nobody);
  // Only the owner may enter the temporary folder of a test run.
  const parent = dirname(folder);
  if (((await stat(parent)).mode & 0o777) === 0o700) await chmod(parent, 0o711);
  process.seteuid!(nobody);
};

test('skips and reports a single unreadable original, and checks it later', { skip: isOnCluster }, async () => {
  const owner = await newUser();
  const items = [await store(owner), await store(owner), await store(owner)];
  const [first, stuck, last] = items.map(({ id }) => id);
  const repair = await fixture.makeUnreadable(items[1]!);
  const failure = { name: 'StoreError', message: /^1 items could not be read, see the log; all others were checked/ };
  await assert.rejects(scrub(), failure);
  assert.deepEqual(await listResults(), { [first!]: 'OK', [last!]: 'OK' });
  await assertStopped(api, 'STORAGE_FAILED', /^1 items could not be read, see the log; all others were checked/);

  await fixture.passDays(31);
  await assert.rejects(scrub(), failure);
  await put(getKey(items[2]!), 'damaged');
  await assert.rejects(scrub(), failure, 'another pass');
  assert.deepEqual(await listResults(), { [first!]: 'OK', [last!]: 'DAMAGED' });

  await repair();
  await scrub();
  assert.deepEqual(await listResults(), { [first!]: 'OK', [stuck!]: 'OK', [last!]: 'DAMAGED' });
  assert.equal((await readState())?.stopped_at, null);
  assert.notEqual((await readState())?.completed_at, null);
});

test('skips a file without read permission', { skip: isOnCluster || process.geteuid === undefined }, async () => {
  const owner = await newUser();
  const [fine, stuck] = [await store(owner), await store(owner)];
  const path = join(fixture.folder, getKey(stuck));
  await chmod(path, 0);
  const isRoot = process.geteuid!() === 0;
  if (isRoot) await giveToNobody(deps.config.dataDirectory);
  try {
    await assert.rejects(scrub(), { name: 'StoreError' });
  } finally {
    if (isRoot) process.seteuid!(0);
  }
  assert.deepEqual(await listResults(), { [fine.id]: 'OK' });
  await chmod(path, 0o600);
  await scrub();
  assert.deepEqual(await listResults(), { [fine.id]: 'OK', [stuck.id]: 'OK' });
});

test('stops and marks no original if many are unreadable', { skip: isOnCluster }, async () => {
  const owner = await newUser();
  const items = [];
  for (let n = 0; n < 30; n += 1) items.push(await store(owner));
  for (const item of items) await fixture.makeUnreadable(item);
  await assert.rejects(scrub(), { name: 'StoreError', message: /contains a symbolic link/ });
  assert.deepEqual(await listResults(), {});
  await assertStopped(api, 'STORAGE_FAILED', /contains a symbolic link/);
});
