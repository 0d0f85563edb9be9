import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());
const { call, id: userId } = await api.signUp();
const { db, objects } = api.deps;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const check = async (checksums: readonly string[], as = call) =>
  (await as('checkMediaItems', { body: { checksums } })).body.existing;

/** Uploads a new photo. Returns the item's id and checksum. */
const uploadOne = async (as = call): Promise<readonly [id: string, checksum: string]> => {
  const photo = await makeNextPhoto();
  return [(await as('uploadMediaItem', fileUpload(photo))).body.id, sha256(photo)];
};

test('returns the existing files among the requested checksums, as written in the request', async () => {
  const [[oneId, one], [otherId, other]] = [await uploadOne(), await uploadOne()];
  const missing = sha256(Buffer.from('missing'));
  const requested = [one, other.toUpperCase(), other, missing];
  assert.deepEqual(await check(requested), { [one]: oneId, [other.toUpperCase()]: otherId, [other]: otherId });
  assert.deepEqual(await check([missing]), {});
  const many = Array.from({ length: 999 }, (_, i) => sha256(Buffer.from(String(i))));
  assert.deepEqual(await check([...many, one]), { [one]: oneId });
});

test('counts a trashed item as existing, but not a permanently deleted one', async () => {
  const [id, checksum] = await uploadOne();
  await call('deleteMediaItem', { params: { id } });
  assert.deepEqual(await check([checksum]), { [checksum]: id });
  assert.equal((await call('getMediaItem', { params: { id } })).body.deleted, true);
  await call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  assert.deepEqual(await check([checksum]), {});
});

test('does not count a file that a worker found missing in the store, until it is sent again', async () => {
  const photo = await makeNextPhoto();
  const checksum = sha256(photo);
  const { id } = (await call('uploadMediaItem', fileUpload(photo))).body;
  const key = originalKey(userId, id);
  await db
    .updateTable('component_runs')
    .set({ state: 'FAILED', reason: 'ORIGINAL_MISSING', attempts: 5, finished_at: new Date() })
    .where('media_item_id', '=', id)
    .execute();
  await db.updateTable('media_items').set({ status: 'FAILED' }).where('id', '=', id).execute();
  assert.deepEqual(await check([checksum]), { [checksum]: id }, 'the store still has it');
  await objects.remove([key]);
  assert.deepEqual(await check([checksum]), {});

  const again = await call('uploadMediaItem', fileUpload(photo));
  assert.deepEqual([again.status, again.body.id], [200, id]);
  assert.deepEqual(await check([checksum]), { [checksum]: id });
  assert.deepEqual(await buffer(await objects.open(key)), photo);
  const runs = await db.selectFrom('component_runs').selectAll().where('media_item_id', '=', id).execute();
  assert.ok(runs.length > 0 && runs.every(({ state, attempts }) => state === 'PENDING' && attempts === 0));
  assert.equal((await call('getMediaItem', { params: { id } })).body.status, 'PROCESSING');
});

test('reprocesses an item whose bytes are restored', async () => {
  const photo = await makeNextPhoto();
  const { id } = (await call('uploadMediaItem', fileUpload(photo))).body;
  await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
  await db.updateTable('media_items').set({ status: 'READY' }).where('id', '=', id).execute();
  const states = async () =>
    new Set(
      (await db.selectFrom('component_runs').select('state').where('media_item_id', '=', id).execute()).map(
        ({ state }) => state,
      ),
    );
  await call('uploadMediaItem', fileUpload(photo));
  assert.deepEqual(await states(), new Set(['DONE']), 'nothing was lost');
  await objects.remove([originalKey(userId, id)]);
  await call('uploadMediaItem', fileUpload(photo));
  assert.deepEqual(await states(), new Set(['PENDING']));
  assert.equal((await call('getMediaItem', { params: { id } })).body.status, 'READY');
});

test('does not count items of other users', async () => {
  const [, checksum] = await uploadOne();
  const other = await api.signUp();
  assert.deepEqual(await check([checksum], other.call), {});
});

test('rejects zero, too many and malformed checksums', async () => {
  const good = sha256(Buffer.from('good'));
  for (const checksums of [
    [],
    Array(1_001).fill(good),
    [good, good.slice(1)],
    [`${good}0`],
    [good.replace(/./, 'g')],
    good,
  ]) {
    assert.equal((await call('checkMediaItems', { body: { checksums } })).error.code, 'VALIDATION_FAILED');
  }
});
