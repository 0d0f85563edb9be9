import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { after, afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import { originalKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi, testEnvironment } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects, config } = deps;
const fixture = await startScrubFixture(api);
const { store, put, listResults, readState } = fixture;
after(() => api.stop());
afterEach(() => fixture.clear());

/** Runs the command as npm does. */
const verify = async (...args: string[]) => {
  const s3 = config.s3Endpoint !== undefined && {
    HEARTH_S3_ENDPOINT: config.s3Endpoint,
    HEARTH_S3_BUCKET: config.s3Bucket,
    HEARTH_S3_ACCESS_KEY: config.s3AccessKey,
    HEARTH_S3_SECRET_KEY: config.s3SecretKey,
  };
  const env = { ...testEnvironment(config.databaseUrl, config.dataDirectory), ...s3, HEARTH_LOG_LEVEL: 'error' };
  const program = fileURLToPath(new URL('verify.ts', import.meta.url));
  return new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
};

test('exits with 0 and a summary if all originals are fine, and counts as a pass of the scrub', async () => {
  const { id: userId } = await buildUser(db);
  for (let n = 0; n < 3; n += 1) await store(userId);
  const { code, stdout } = await verify();
  assert.equal(code, 0);
  assert.match(stdout, /^Checked 3 of 3 originals, 0 MB, .* MB\/s\.\n3 OK, 0 damaged, 0 missing\.\n$/);
  assert.notEqual((await readState())?.completed_at, null);
});

test('exits with 1 and lists each damaged and missing original with its user and filename', async () => {
  const { id: userId, username } = await buildUser(db);
  const [fine, damaged, gone] = [await store(userId), await store(userId), await store(userId)];
  await put(originalKey(userId, damaged.id), '!'.repeat(64));
  await objects.remove([originalKey(userId, gone.id)]);
  const { code, stdout } = await verify();
  assert.equal(code, 1);
  assert.ok(stdout.includes(`DAMAGED  ${damaged.id}  ${username}  IMG_0001.jpg\n`), stdout);
  assert.ok(stdout.includes(`MISSING  ${gone.id}  ${username}  IMG_0001.jpg\n`), stdout);
  assert.match(stdout, /^1 OK, 1 damaged, 1 missing\.$/m);
  assert.deepEqual(await listResults(), { [fine.id]: 'OK', [damaged.id]: 'DAMAGED', [gone.id]: 'MISSING' });
});

test('exits with 1 and names an original that cannot be read', { skip: isOnCluster }, async () => {
  const { id: userId, username } = await buildUser(db);
  const [fine, stuck] = [await store(userId), await store(userId)];
  await fixture.makeUnreadable(stuck);
  const { code, stdout } = await verify();
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`^UNREAD  ${stuck.id}  ${username}  IMG_0001.jpg  .* contains a symbolic link`, 'm'));
  assert.match(stdout, /^1 OK, 0 damaged, 0 missing\.\nNot checked, because they could not be read: 1\.$/m);
  assert.deepEqual(await listResults(), { [fine.id]: 'OK' });
});

test('makes missing renditions due again and reports their number', async () => {
  const { id: userId } = await buildUser(db);
  const { id } = await store(userId);
  const shown = { thumbnail_key: thumbnailKey(userId, id, 2), thumbnail_bytes: 5, status: 'READY' } as const;
  await db.updateTable('media_items').set(shown).where('id', '=', id).execute();
  await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
  const { code, stdout } = await verify();
  assert.equal(code, 0);
  assert.match(stdout, /^1 damaged or missing renditions will be reprocessed by a worker\.$/m);
  const due = await db.selectFrom('component_runs').select('component').where('state', '=', 'PENDING').execute();
  assert.deepEqual(due, [{ component: 'PREVIEW_THUMBNAIL' }]);
});

/**
 * Stores `count` originals, deletes those from `first` to before `end`, and runs the command. Returns its lines about
 * the files.
 */
const verifyWithout = async (count: number, first: number, end: number) => {
  const { id: userId } = await buildUser(db);
  const items = [];
  for (let n = 0; n < count; n += 1) items.push(await store(userId));
  await objects.remove(items.slice(first, end).map(({ id }) => originalKey(userId, id)));
  const { code, stdout, stderr } = await verify();
  const missing = Object.values(await listResults()).filter((state) => state === 'MISSING').length;
  return { code, missing, newer: /^The database is newer than the files: .*$/m.exec(stdout)?.[0], stderr };
};

test('finds that the database is newer than the files, also after new uploads', async () => {
  const { code, missing, newer } = await verifyWithout(62, 21, 61);
  assert.deepEqual([code, missing], [1, 40]);
  assert.match(newer ?? '', /: 40 missing originals were uploaded one after another, as after files were restored/);
});

test('finds that the database is newer than the files if fewer than half are missing', async () => {
  const { code, missing, newer } = await verifyWithout(80, 45, 75);
  assert.deepEqual([code, missing], [1, 30]);
  assert.match(newer ?? '', /: 30 missing originals/);
});

test('does not report the database as newer if only the newest original is missing', async () => {
  const { code, missing, newer } = await verifyWithout(10, 9, 10);
  assert.deepEqual([code, missing, newer], [1, 1, undefined]);
});

test('exits with 2 and marks nothing if the first 45 of 50 originals are missing', async () => {
  const { code, missing, stderr } = await verifyWithout(50, 0, 45);
  assert.deepEqual([code, missing], [2, 0]);
  assert.match(stderr, /45 of 50 originals are missing at once/);
});

test('checks a random sample', async () => {
  const { id: userId } = await buildUser(db);
  for (let n = 0; n < 40; n += 1) await store(userId);
  const { code, stdout } = await verify('--sample', '50%');
  assert.equal(code, 0);
  assert.match(stdout, /^Checked 20 originals/m);
  assert.equal(Object.keys(await listResults()).length, 20);
  assert.equal(await readState(), undefined);
});

test('checks at least one item of a small library', async () => {
  assert.match((await verify('--sample', '1%')).stdout, /^Checked 0 originals/m);
  const { id: userId } = await buildUser(db);
  for (let n = 0; n < 12; n += 1) await store(userId);
  const { code, stdout } = await verify('--sample', '1%');
  assert.equal(code, 0);
  assert.match(stdout, /^Checked 1 originals/m);
});

test('exits with 2 for invalid arguments', async () => {
  for (const args of [['--sample', '0%'], ['--sample', '101%'], ['--all']]) {
    const { code, stderr } = await verify(...args);
    assert.equal(code, 2, args.join(' '));
    assert.notEqual(stderr, '');
  }
});

test(
  'exits with 2 and marks nothing if the objects folder belongs to another library',
  { skip: isOnCluster },
  async () => {
    const { id: userId } = await buildUser(db);
    for (let n = 0; n < 3; n += 1) await store(userId);
    const aside = `${fixture.folder}-aside`;
    await rename(fixture.folder, aside);
    const { code, stderr } = await verify();
    // Fails if the rejected run has created a folder with content.
    await rename(aside, fixture.folder);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /the object store has no library marker, and contains only 0 of 3 sampled originals.*mount its disk/,
    );
    assert.deepEqual(await listResults(), {});
  },
);

test('exits with 2 and marks nothing if the store belongs to another library', async () => {
  const { id: userId } = await buildUser(db);
  const { id } = await store(userId);
  await objects.remove([originalKey(userId, id)]);
  await put(markerKey, JSON.stringify({ library: randomUUID() }));
  const { code, stderr } = await verify();
  await takeOverStore(objects, db);
  assert.equal(code, 2);
  assert.match(stderr, /the object store belongs to library .*npm run orphans -- --take-over/);
  assert.deepEqual(await listResults(), {});
});
