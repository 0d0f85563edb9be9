import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { acquireLease } from '../housekeeping/leases/leases.ts';
import { markUserForRemoval } from '../accounts/users.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { removeMarked } from '../housekeeping/removal.ts';
import { createClient, fetchLink } from '@hearth/testkit/api/client.ts';
import { startSocketPatch } from '@hearth/testkit/api/socketPatch.ts';
import { startTestApi, type TestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, patch, tus } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
const replica = await startTestApi({ sharedWith: api });
after(async () => {
  await replica.stop();
  await api.stop();
});
const { db, objects } = api.deps;
const user = await api.signUp();
const { call } = user;
const callReplica = createClient(replica.url, `Bearer ${user.token}`);

const MiB = 2 ** 20;
const tomorrow = (): Date => new Date(Date.now() + 86_400_000);
const photoWith = async (bytes: number): Promise<Buffer> =>
  Buffer.concat([await makeNextPhoto(), makeTestBytes(1, bytes)]);

const openPatch = async ({ port }: TestApi, { token }: TestUser, ...rest: Rest) =>
  startSocketPatch({ port, token }, ...rest);
type Rest = Parameters<typeof startSocketPatch> extends [unknown, ...infer Rest] ? Rest : never;

const findRow = async (id: string) =>
  db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Resumes an upload to its end and asserts that the result equals `file`. */
const finish = async (id: string, file: Buffer, { call }: TestUser = user): Promise<void> => {
  const { offset } = await getUploadStatus(call, id);
  const response = await patch(call, id, offset, file.subarray(offset));
  const mediaItemId = response.headers.get('hearth-media-item-id')!;
  const { sourceUrl } = (await call('getMediaItem', { params: { id: mediaItemId } })).body;
  assert.ok((await fetchLink(api.url, sourceUrl)).bytes.equals(file));
  const item = await db
    .selectFrom('media_items')
    .select('checksum')
    .where('id', '=', mediaItemId)
    .executeTakeFirstOrThrow();
  assert.deepEqual(item.checksum, createHash('sha256').update(file).digest());
};

for (const [when, sent] of [
  ['in the first bytes', 100],
  ['in the first part', 3 * MiB],
  ['in the third part', 19 * MiB],
] as const) {
  test(`keeps the bytes received before a connection is cut ${when}, and resumes on another replica`, async () => {
    const file = await photoWith(24 * MiB);
    const id = await startUpload(call, file.length);
    const connected = once(api.server, 'connection') as Promise<[Socket]>;
    const cut = await openPatch(api, user, id, { offset: 0, length: file.length });
    const [serverSide] = await connected;
    await cut.send(file.subarray(0, sent));
    await waitUntil('the upload is claimed', async () => (await findRow(id)).claim_id !== null);
    await waitUntil(
      'the parts are received',
      async () => (await findRow(id)).received_bytes >= sent - (sent % (8 * MiB)),
    );
    // Before that, bytes may still be lost in transit.
    await waitUntil('the server has read all bytes', () => serverSide.bytesRead === cut.socket.bytesWritten);
    cut.socket.destroy();
    assert.equal((await getUploadStatus(callReplica, id)).offset, sent);
    await patch(callReplica, id, sent, file.subarray(sent, sent + 1000));
    await finish(id, file);
  });
}

test('keeps nothing of an interrupted request with a checksum', async () => {
  const file = await photoWith(20 * MiB);
  const id = await startUpload(call, file.length);
  await patch(call, id, 0, file.subarray(0, 1000));
  const checksum = `sha1 ${createHash('sha1').update(file.subarray(1000)).digest('base64')}`;
  const length = file.length - 1000;
  const cut = await openPatch(api, user, id, { offset: 1000, length, 'upload-checksum': checksum });
  await cut.send(file.subarray(1000, 19 * MiB));
  await waitUntil('a write has begun', async () => (await findRow(id)).write_id !== null);
  cut.socket.destroy();
  assert.equal((await getUploadStatus(call, id)).offset, 1000);
  await finish(id, file);
});

for (const [where, other] of [
  ['the same replica', call],
  ['another replica', callReplica],
] as const) {
  test(`a half-open connection yields to a request on ${where} without losing received bytes`, async () => {
    const file = await photoWith(20 * MiB);
    const id = await startUpload(call, file.length);
    const stale = await openPatch(api, user, id, { offset: 0, length: file.length });
    await stale.send(file.subarray(0, 10 * MiB));
    await waitUntil('the first part is received', async () => (await findRow(id)).received_bytes === 8 * MiB);
    assert.equal((await getUploadStatus(other, id)).offset, 10 * MiB);
    assert.equal((await stale.readResponse()).status, 423);
    await finish(id, file);
  });
}

test('rejects a late request without affecting the active one, and lets a timely one take over', async () => {
  const file = await photoWith(20 * MiB);
  const id = await startUpload(call, file.length);
  const first = await openPatch(api, user, id, { offset: 0, length: file.length });
  await first.send(file.subarray(0, 10 * MiB));
  await waitUntil('the first part is received', async () => (await findRow(id)).received_bytes === 8 * MiB);
  assert.equal((await patch(callReplica, id, 0, file.subarray(0, 10))).error.code, 'WRONG_OFFSET');
  assert.equal((await findRow(id)).is_asked_for, false);
  const [second, response] = await Promise.all([
    patch(callReplica, id, 8 * MiB, file.subarray(8 * MiB)),
    first.readResponse(),
  ]);
  // The first request had also stored the bytes after its last part.
  assert.deepEqual([second.status, response.status], [409, 423]);
  await finish(id, file);
});

test('a corrupt request cannot damage the bytes of its successor', async () => {
  const file = await photoWith(28 * MiB);
  const id = await startUpload(call, file.length);
  const damaged = Buffer.from(file.map((byte) => byte ^ 1));
  const checksum = `sha1 ${createHash('sha1').update(file).digest('base64')}`;
  const stale = await openPatch(api, user, id, { offset: 0, length: file.length, 'upload-checksum': checksum });
  await stale.send(damaged.subarray(0, 9 * MiB));
  await waitUntil('a write has begun', async () => (await findRow(id)).write_id !== null);
  const right = await openPatch(replica, user, id, { offset: 0, length: file.length });
  await right.send(file.subarray(0, 17 * MiB));
  await waitUntil('the parts are received', async () => (await findRow(id)).received_bytes === 16 * MiB);
  await stale.send(damaged.subarray(9 * MiB));
  assert.equal((await stale.readResponse()).status, 423);
  await right.send(file.subarray(17 * MiB));
  assert.equal((await right.readResponse()).status, 204);
  await finish(id, file);
});

test('a request writes nothing after losing its upload to another', async () => {
  const file = await photoWith(20 * MiB);
  const id = await startUpload(call, file.length);
  const frozen = await openPatch(api, user, id, { offset: 0, length: file.length });
  await frozen.send(file.subarray(0, 5 * MiB));
  await waitUntil('the upload is claimed', async () => (await findRow(id)).claim_id !== null);
  // Simulates a process that slept longer than its claim lasts.
  await db
    .updateTable('uploads')
    .set({ claim_id: user.id, claimed_until: new Date(0) })
    .where('id', '=', id)
    .execute();
  await frozen.send(makeTestBytes(9, file.length - 5 * MiB));
  assert.equal((await frozen.readResponse()).status, 423);
  assert.equal((await findRow(id)).received_bytes, 0);
  await finish(id, file);
});

/** Claims an upload like a process that never renews the claim. */
const claim = async (id: string, ms: number) => {
  const claimed = { claim_id: user.id, claimed_until: new Date(Date.now() + ms) };
  await db.updateTable('uploads').set(claimed).where('id', '=', id).execute();
};

test('an upload resumes after its claim expires, and is locked until then', async () => {
  const file = await photoWith(1000);
  const [expiring, held] = [await startUpload(call, file.length), await startUpload(call, file.length)];
  await claim(expiring, 2_000);
  await claim(held, 60_000);
  const responses = await Promise.all([
    getUploadStatus(call, held),
    patch(callReplica, held, 0, file),
    call('deleteUpload', { params: { id: held }, headers: tus }),
    finish(expiring, file),
  ]);
  assert.deepEqual(
    responses.slice(0, 3).map((response) => response?.status),
    [423, 423, 423],
  );
  assert.equal((await findRow(held)).is_asked_for, true);
});

test('on shutdown, keeps received bytes without waiting for the rest', async () => {
  const file = await photoWith(20 * MiB);
  const id = await startUpload(call, file.length);
  const leaving = await startTestApi({ sharedWith: api });
  const request = await openPatch(leaving, user, id, { offset: 0, length: file.length });
  await request.send(file.subarray(0, 10 * MiB));
  await waitUntil('the first part is received', async () => (await findRow(id)).received_bytes === 8 * MiB);
  leaving.deps.state.isStopping = true;
  const { status, headers } = await request.readResponse();
  assert.deepEqual([status, headers.get('retry-after'), headers.get('connection')], [503, '1', 'close']);
  await leaving.stop();
  assert.equal((await getUploadStatus(call, id)).offset, 10 * MiB);
  await finish(id, file);
});

test('deletes everything of a user who is deleted during an upload, and rejects the request at its end', async () => {
  const leaving = await api.signUp();
  const file = await photoWith(30 * MiB);
  const [before, id, other] = [
    await api.listKeys(),
    await startUpload(leaving.call, file.length),
    await startUpload(leaving.call, file.length),
  ];
  await patch(leaving.call, other, 0, file.subarray(0, 9 * MiB));
  const request = await openPatch(api, leaving, id, { offset: 0, length: file.length });
  await request.send(file.subarray(0, 9 * MiB));
  await waitUntil('the first part is received', async () => (await findRow(id)).received_bytes === 8 * MiB);
  await markUserForRemoval(db, leaving.id);
  await removeMarked(api.deps, (await acquireLease(db, 'test', leaving.id, 60_000))!);
  await request.send(file.subarray(9 * MiB));
  assert.ok([404, 410].includes((await request.readResponse()).status));
  assert.deepEqual(await api.listKeys(), before);
  assert.equal(await objects.removeUnfinished(tomorrow()), 0);
});
