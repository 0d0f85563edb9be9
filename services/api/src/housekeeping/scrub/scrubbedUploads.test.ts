import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startScrubFixture } from '@hearth/testkit/api/scrubFixture.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());
const { db, objects } = api.deps;
const { scrub, passDays } = await startScrubFixture(api);
const user = await api.signUp();

const put = async (key: string, bytes: Uint8Array): Promise<unknown> =>
  objects.put(key, Readable.from([Buffer.from(bytes)], { objectMode: false }));
const upload = async (bytes: Buffer): Promise<string> =>
  (await user.call('uploadMediaItem', fileUpload(bytes))).body.id;
const listStates = async (id: string) => {
  const runs = await db.selectFrom('component_runs').select('state').where('media_item_id', '=', id).execute();
  return [...new Set(runs.map(({ state }) => state))];
};
const getOriginal = async (id: string) => (await user.call('getMediaItem', { params: { id } })).body.original;

test('an upload does not read an original that the scrub has read since its last write', async () => {
  const bytes = await makeNextPhoto();
  const id = await upload(bytes);
  const key = originalKey(user.id, id);
  await scrub();
  const find = async () =>
    await db.selectFrom('original_checks').selectAll().where('media_item_id', '=', id).executeTakeFirstOrThrow();
  const checked = await find();
  assert.deepEqual([checked.state, checked.object_modified_at], ['OK', (await objects.stat(key)).modifiedAt]);
  await upload(bytes);
  assert.deepEqual(await find(), checked);
});

test('the scrub detects a bit flip, an upload repairs it, and the next scrub reports OK', async () => {
  const bytes = await makeNextPhoto();
  const id = await upload(bytes);
  const key = originalKey(user.id, id);
  await put(key, bytes.with(40, bytes[40]! ^ 2));
  await passDays(31);
  await scrub();
  assert.equal(await getOriginal(id), 'DAMAGED');
  assert.equal(await upload(bytes), id);
  assert.deepEqual(await buffer(await objects.open(key)), bytes);
  await passDays(31);
  await scrub();
  assert.equal(await getOriginal(id), 'OK');
});

test('reprocesses an original that the scrub finds restored', async () => {
  const bytes = await makeNextPhoto();
  const id = await upload(bytes);
  const key = originalKey(user.id, id);
  await put(key, bytes.with(40, bytes[40]! ^ 2));
  await passDays(31);
  await scrub();
  await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
  await put(key, bytes);
  await passDays(31);
  await scrub();
  assert.deepEqual([await getOriginal(id), await listStates(id)], ['OK', ['PENDING']]);
});
