import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { releaseOrphans } from '../features/orphans/queries.ts';
import { transaction } from '@hearth/core/db/database.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { startTestApi, testEnvironment } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';
import { adoptOrphan } from '../features/orphans/adoptOrphan.ts';
import { findOrphans, type FoundOrphan } from '../features/orphans/findOrphans.ts';

const api = await startTestApi();
const { deps } = api;
const { db, objects, config } = deps;
after(() => api.stop());
afterEach(async () => {
  await db.deleteFrom('users').execute();
  await objects.remove(await api.listKeys());
});

const list = async (): Promise<FoundOrphan[]> => Array.fromAsync(findOrphans(deps));
const adopt = async (orphan: FoundOrphan, userId: string) =>
  adoptOrphan(deps, orphan, userId, new AbortController().signal);
const hashOf = async (key: string): Promise<string> =>
  createHash('sha256')
    .update(await buffer(await objects.open(key)))
    .digest('hex');
/** Deletes the row of an item, as if the database was restored from an older backup. */
const loseRow = async (id: string): Promise<void> => {
  await queryOnce(config.databaseUrl, 'delete from media_items where id = $1', [id]);
};
const loseUser = async ({ id }: TestUser): Promise<void> => {
  await queryOnce(config.databaseUrl, 'delete from users where id = $1', [id]);
};

/** Runs the command as npm does. */
const orphans = async (...args: string[]): Promise<string> => {
  const env = { ...testEnvironment(config.databaseUrl, config.dataDirectory), ...backEnds() };
  const program = fileURLToPath(new URL('orphans.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { ...env, HEARTH_LOG_LEVEL: 'error' },
  });
  return stdout;
};
const backEnds = (): Record<string, string> => ({
  ...(config.redisUrl !== undefined && { HEARTH_REDIS_URL: config.redisUrl }),
  ...(config.s3Endpoint !== undefined && {
    HEARTH_S3_ENDPOINT: config.s3Endpoint,
    HEARTH_S3_BUCKET: config.s3Bucket ?? '',
    HEARTH_S3_ACCESS_KEY: config.s3AccessKey ?? '',
    HEARTH_S3_SECRET_KEY: config.s3SecretKey ?? '',
  }),
});

test('adopts an original without a row as an item with the same bytes, dated by its upload', async () => {
  const user = await api.signUp();
  const [kept, lost] = [await user.uploadPhoto(), await user.uploadPhoto()];
  const hash = await hashOf(originalKey(user.id, lost));
  assert.deepEqual(await list(), []);
  await loseRow(lost);
  const [orphan, ...others] = await list();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [orphan!.mediaItemId, orphan!.userId, orphan!.username, orphan!.firstSeenAt],
    [lost, user.id, user.username, null],
  );
  const { id, isNew } = await adopt(orphan!, user.id);
  assert.equal(isNew, true);
  const item = (await user.call('getMediaItem', { params: { id } })).body;
  assert.match(item.filename, /^recovered-\d{8}-\d{6}\.jpg$/);
  assert.equal(await hashOf(originalKey(user.id, id)), hash);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await api.listKeys(), [originalKey(user.id, kept), originalKey(user.id, id)].toSorted());
  const uploadedAt = Number.parseInt(lost.replace('-', '').slice(0, 12), 16);
  const row = await db.selectFrom('media_items').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.equal(row.client_taken_at?.getTime(), uploadedAt);
});

test('adopts duplicate bytes into the existing item', async () => {
  const user = await api.signUp();
  const lost = await user.uploadPhoto();
  const bytes = await buffer(await objects.open(originalKey(user.id, lost)));
  const orphanKey = originalKey(user.id, randomUUID());
  await objects.put(orphanKey, Readable.from([bytes], { objectMode: false }));
  assert.deepEqual(await adopt((await list())[0]!, user.id), { id: lost, isNew: false });
  assert.deepEqual(await api.listKeys(), [originalKey(user.id, lost)]);
});

test('restores the missing original of an existing item with the same bytes', async () => {
  const user = await api.signUp();
  const id = await user.uploadPhoto();
  const bytes = await buffer(await objects.open(originalKey(user.id, id)));
  await objects.remove([originalKey(user.id, id)]);
  await objects.put(originalKey(user.id, randomUUID()), Readable.from([bytes], { objectMode: false }));
  assert.deepEqual(await adopt((await list())[0]!, user.id), { id, isNew: false });
  assert.deepEqual(await api.listKeys(), [originalKey(user.id, id)]);
  assert.deepEqual(await buffer(await objects.open(originalKey(user.id, id))), bytes);
});

test('keeps the object of an orphan whose row appears meanwhile, and repeats an interrupted adoption', async () => {
  const user = await api.signUp();
  const lost = await user.uploadPhoto();
  const row = await db.selectFrom('media_items').selectAll().where('id', '=', lost).executeTakeFirstOrThrow();
  await loseRow(lost);
  const [orphan] = await list();
  const { visibility: _made, ...values } = row;
  await db
    .insertInto('media_items')
    .values({ ...values, checksum: Buffer.alloc(32, 1) })
    .execute();
  const { id } = await adopt(orphan!, user.id);
  assert.deepEqual(await api.listKeys(), [originalKey(user.id, lost), originalKey(user.id, id)].toSorted());
  await loseRow(lost);
  assert.deepEqual(await adopt((await list())[0]!, user.id), { id, isNew: false });
  assert.deepEqual(await api.listKeys(), [originalKey(user.id, id)]);
});

test('lists orphans, and adopts them into their own account, or into another one if theirs is gone', async () => {
  const [staying, leaving] = [await api.signUp(), await api.signUp()];
  const [lost, left] = [await staying.uploadPhoto(), await leaving.uploadPhoto()];
  assert.equal(await orphans(), 'Every original in the store has its media item.\n');
  await loseRow(lost);
  await loseUser(leaving);
  const listed = await orphans();
  assert.match(listed, new RegExp(`^${lost}  ${staying.id}  ${staying.username}  \\d+ bytes  stored `, 'm'));
  assert.match(listed, new RegExp(`^${left}  ${leaving.id}  \\(no account\\)  `, 'm'));
  assert.match(listed, /^2 originals of [\d,]+ bytes have no media item; each is removed 30 days after/m);

  const adopted = await orphans('--adopt');
  assert.match(adopted, new RegExp(`^${lost}  is now `, 'm'));
  assert.match(adopted, new RegExp(`^${left}  skipped: account ${leaving.id} no longer exists`, 'm'));
  assert.match(adopted, /^1 adopted, 1 skipped\.$/m);

  assert.match(await orphans('--adopt', '--into', staying.username, leaving.id), /^1 adopted, 0 skipped\.$/m);
  assert.equal((await db.selectFrom('media_items').select('id').where('user_id', '=', staying.id).execute()).length, 2);
  assert.match(await orphans(), /^Every original/);
  await assert.rejects(orphans('--adopt', '--into', 'nobody-here'), /No user "nobody-here"/);
});

test('adopts the original of an unfinished upload only after the upload has expired', async () => {
  const user = await api.signUp();
  const lost = await user.uploadPhoto();
  // Simulates a restore: the upload was finished after the backup, so no client will resume it.
  await loseRow(lost);
  const upload = { id: lost, user_id: user.id, metadata: '', length_bytes: 1, part_bytes: 1 };
  const tomorrow = new Date(Date.now() + 24 * 3_600_000);
  await db
    .insertInto('uploads')
    .values({ ...upload, expires_at: tomorrow })
    .execute();
  assert.deepEqual(await list(), []);
  await db.updateTable('uploads').set({ expires_at: new Date() }).where('id', '=', lost).execute();
  const [orphan] = await list();
  assert.equal(orphan?.mediaItemId, lost);
  const { id } = await adopt(orphan, user.id);
  assert.deepEqual(await api.listKeys(), [originalKey(user.id, id)]);
  assert.deepEqual(await list(), []);
});

test('does not offer originals that were deleted on purpose', async () => {
  const user = await api.signUp();
  const lost = await user.uploadPhoto();
  await loseRow(lost);
  await transaction(db, (trx) => releaseOrphans(trx, [lost]));
  assert.deepEqual(await list(), []);
});
