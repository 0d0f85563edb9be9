import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { acquireLease } from '../../housekeeping/leases/leases.ts';
import { listUploadParts } from './queries.ts';
import { newTailKey, originalKey } from '@hearth/core/objects/keys.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { removeOrphans } from '../../housekeeping/orphans.ts';
import { finishReceivedUploads } from '../../housekeeping/uploads.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, patch, storeUnfinishedUpload } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
after(() => api.stop());
const { db, objects } = api.deps;
const user = await api.signUp();
const { call } = user;

const MiB = 2 ** 20;
const photoWith = async (bytes: number): Promise<Buffer> =>
  Buffer.concat([await makeNextPhoto(), makeTestBytes(1, bytes)]);

const rowOf = async (id: string) => db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const receiveAll = async (file: Buffer): Promise<string> => storeUnfinishedUpload(api, user, file);

const makeObject = async (id: string): Promise<number> =>
  objects.finishParts(originalKey(user.id, id), (await rowOf(id)).write_id!, await listUploadParts(db, id));

const assertIsFile = async (mediaItemId: string | undefined, file: Buffer): Promise<void> => {
  const { sourceUrl } = (await call('getMediaItem', { params: { id: mediaItemId! } })).body;
  assert.ok((await fetchLink(api.url, sourceUrl)).bytes.equals(file));
  const item = await db
    .selectFrom('media_items')
    .select('checksum')
    .where('id', '=', mediaItemId!)
    .executeTakeFirstOrThrow();
  assert.deepEqual(item.checksum, createHash('sha256').update(file).digest());
};

for (const [when, crash] of [
  ['before its object was created', async () => undefined],
  ['after its object was created', makeObject],
] as const) {
  test(`finishes a received upload that crashed ${when} when the client requests its state`, async () => {
    const file = await photoWith(9 * MiB);
    const id = await receiveAll(file);
    await crash(id);
    const { offset, mediaItemId } = await getUploadStatus(call, id);
    assert.equal(offset, file.length);
    await assertIsFile(mediaItemId, file);
    assert.equal((await getUploadStatus(call, id)).mediaItemId, mediaItemId);
  });

  test(`finishes a received upload that crashed ${when} when the client sends an empty request`, async () => {
    const file = await photoWith(9 * MiB);
    const id = await receiveAll(file);
    await crash(id);
    const response = await patch(call, id, file.length, Buffer.alloc(0));
    await assertIsFile(response.headers.get('hearth-media-item-id')!, file);
  });

  test(`housekeeping finishes a received upload that crashed ${when}`, async () => {
    const file = await photoWith(9 * MiB);
    const id = await receiveAll(file);
    await crash(id);
    await finishReceivedUploads(api.deps, new AbortController().signal);
    await assertIsFile((await rowOf(id)).media_item_id!, file);
    assert.deepEqual(await listUploadParts(db, id), []);
  });
}

test('creates one item when many requests finish an upload at once', async () => {
  const file = await photoWith(9 * MiB);
  const id = await receiveAll(file);
  const statuses = await Promise.all(Array.from({ length: 6 }, () => getUploadStatus(call, id)));
  assert.equal(new Set(statuses.map(({ mediaItemId }) => mediaItemId)).size, 1);
  await assertIsFile(statuses[0]?.mediaItemId, file);
});

test('returns 410 if received bytes are lost in the store, and a new upload works', async () => {
  const file = await photoWith(9 * MiB);
  const lost = [await receiveAll(file), await startUpload(call, file.length), await startUpload(call, file.length)];
  await patch(call, lost[1]!, 0, file.subarray(0, 8 * MiB));
  for (const id of lost.slice(0, 2)) await objects.abandonParts(originalKey(user.id, id), (await rowOf(id)).write_id!);
  await patch(call, lost[2]!, 0, file.subarray(0, 1000));
  await objects.remove([(await rowOf(lost[2]!)).tail_key!]);
  assert.equal((await getUploadStatus(call, lost[0]!)).status, 410);
  assert.equal((await patch(call, lost[1]!, 8 * MiB, file.subarray(8 * MiB))).error.code, 'UPLOAD_GONE');
  assert.equal((await patch(call, lost[2]!, 1000, file.subarray(1000))).error.code, 'UPLOAD_GONE');
  for (const id of lost) assert.equal((await getUploadStatus(call, id)).status, 404);
});

test('returns 410 if stored parts differ from the received ones, and creates no item', async () => {
  const file = await photoWith(9 * MiB);
  const id = await receiveAll(file);
  const { write_id: writeId } = await rowOf(id);
  await objects.putPart(originalKey(user.id, id), writeId!, { number: 1, offset: 0 }, makeTestBytes(9, 8 * MiB));
  assert.equal((await getUploadStatus(call, id)).status, 410);
  assert.ok(!(await api.listKeys()).some((key) => key.includes(id)));
});

test('ignores wrong parts if the object already exists', async () => {
  const file = await photoWith(9 * MiB);
  const id = await receiveAll(file);
  const [key, { write_id: writeId }] = [originalKey(user.id, id), await rowOf(id)];
  // As in a store that has just created the object for another request and is freeing the parts.
  await objects.putPart(key, writeId!, { number: 1, offset: 0 }, makeTestBytes(9, 8 * MiB));
  await objects.put(key, Readable.from([file], { objectMode: false }));
  await assertIsFile((await getUploadStatus(call, id)).mediaItemId, file);
});

test('finishes an upload with the lost bytes of an existing item only after restoring them', async () => {
  const file = await photoWith(9 * MiB);
  const duplicate = (await getUploadStatus(call, await receiveAll(file))).mediaItemId!;
  const key = originalKey(user.id, duplicate);
  await objects.remove([key]);
  const id = await receiveAll(file);
  const put: typeof objects.put = async (to, body, options) => {
    if (to !== key) return objects.put(to, body, options);
    body.destroy();
    throw new StoreError('the store accepts no data');
  };
  await finishReceivedUploads({ ...api.deps, objects: { ...objects, put } }, new AbortController().signal);
  assert.equal((await rowOf(id)).media_item_id, null);
  assert.equal((await getUploadStatus(call, id)).mediaItemId, duplicate);
  await assertIsFile(duplicate, file);
});

test('recomputes the checksum at the end if another library version wrote the hash state', async () => {
  const file = await photoWith(17 * MiB);
  const id = await startUpload(call, file.length);
  await patch(call, id, 0, file.subarray(0, 8 * MiB + 5));
  await db
    .updateTable('uploads')
    .set({ hash_state: Buffer.alloc(116) })
    .where('id', '=', id)
    .execute();
  await patch(call, id, 8 * MiB + 5, file.subarray(8 * MiB + 5, 16 * MiB + 5));
  const response = await patch(call, id, 16 * MiB + 5, file.subarray(16 * MiB + 5));
  await assertIsFile(response.headers.get('hearth-media-item-id')!, file);
});

const notAFolder = isOnCluster && 'only files in a folder can be backdated';

test(
  'the orphan sweep keeps everything that active uploads need, however old, and deletes their leftovers',
  { skip: notAFolder },
  async () => {
    const file = await photoWith(9 * MiB);
    const [active, received] = [await startUpload(call, file.length), await receiveAll(Buffer.concat([file, file]))];
    await makeObject(received);
    await patch(call, active, 0, file.subarray(0, 8 * MiB + 1000));
    const leftovers = [newTailKey(user.id, active), newTailKey(user.id, '0198c1de-7a54-7d3a-9f0c-2b6c1f0f8a11')];
    const young = newTailKey(user.id, active);
    for (const key of [...leftovers, young]) await objects.put(key, Readable.from([Buffer.from('bytes')]));
    const old = new Date(Date.now() - 2 * 86_400_000);
    const { write_id: writeId } = await rowOf(active);
    const unfinished = ['', '.parts'].map((suffix) => `.unfinished/${writeId}${suffix}`);
    const keys = (await api.listKeys()).filter((key) => key !== young);
    for (const path of [...keys, ...unfinished])
      await utimes(join(api.deps.config.dataDirectory, 'objects', path), old, old);
    const lease = await acquireLease(db, 'test', user.id, 60_000);
    assert.equal(await removeOrphans(api.deps, lease!, new Date(Date.now() - 86_400_000)), leftovers.length);
    assert.ok((await api.listKeys()).includes(young));
    const response = await patch(call, active, 8 * MiB + 1000, file.subarray(8 * MiB + 1000));
    await assertIsFile(response.headers.get('hearth-media-item-id')!, file);
    await assertIsFile((await getUploadStatus(call, received)).mediaItemId, Buffer.concat([file, file]));
  },
);
