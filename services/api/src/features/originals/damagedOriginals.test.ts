import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import { recordOriginalCheck } from '@hearth/core/originals/originalChecks.ts';
import { checkOriginalBytes } from '@hearth/core/objects/checkOriginal.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { fileUpload } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';
import { startUpload, patch } from '@hearth/testkit/api/uploads.ts';
import { getOriginalState } from './queries.ts';

const api = await startTestApi();
after(() => api.stop());
const { db, objects } = api.deps;
await takeOverStore(objects, db);

/** Builds a photo that needs one upload part, or several if `isLarge`. */
const buildPhoto = async (isLarge = false): Promise<Buffer> =>
  Buffer.concat([await makeNextPhoto(), makeTestBytes(1, isLarge ? 9 * 2 ** 20 : 100)]);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Ways to damage a stored original. An undefined result removes it. */
const damages = {
  truncated: (bytes: Buffer) => bytes.subarray(0, -7),
  emptied: () => Buffer.alloc(0),
  'bit-flipped': (bytes: Buffer) => bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 4),
  lengthened: (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')]),
  removed: () => undefined,
} satisfies Record<string, (bytes: Buffer) => Uint8Array | undefined>;
type Damage = keyof typeof damages;

const damage = async (user: TestUser, id: string, bytes: Buffer, how: Damage): Promise<void> => {
  const key = originalKey(user.id, id);
  const damaged = damages[how](bytes);
  if (damaged === undefined) return objects.remove([key]);
  await objects.put(key, Readable.from([Buffer.from(damaged)], { objectMode: false }));
};

/** Upload protocols. Each returns the status of the response and the item's id. */
const uploads = {
  multipart: async ({ call }: TestUser, bytes: Buffer) => {
    const { status, body } = await call('uploadMediaItem', fileUpload(bytes));
    return { status, id: body.id };
  },
  tus: async ({ call }: TestUser, bytes: Buffer) => {
    const { status, headers } = await patch(call, await startUpload(call, bytes.length), 0, bytes);
    return { status, id: headers.get('hearth-media-item-id')! };
  },
};

const getItem = async ({ call }: TestUser, id: string) => (await call('getMediaItem', { params: { id } })).body;
const check = async ({ call }: TestUser, bytes: Buffer) =>
  (await call('checkMediaItems', { body: { checksums: [sha256(bytes)] } })).body.existing;
const finishRuns = async (id: string): Promise<void> => {
  await db.updateTable('component_runs').set({ state: 'DONE' }).where('media_item_id', '=', id).execute();
};
const listStates = async (id: string) => {
  const runs = await db.selectFrom('component_runs').select('state').where('media_item_id', '=', id).execute();
  return [...new Set(runs.map(({ state }) => state))];
};

for (const [protocol, upload] of Object.entries(uploads)) {
  for (const how of Object.keys(damages) as Damage[]) {
    for (const isLarge of protocol === 'tus' ? [false, true] : [false]) {
      test(`uploading a ${how} original again by ${protocol} repairs it${isLarge ? ' (several parts)' : ''}`, async () => {
        const user = await api.signUp();
        const bytes = await buildPhoto(isLarge);
        const { id } = await upload(user, bytes);
        await finishRuns(id);
        await damage(user, id, bytes, how);

        const again = await upload(user, bytes);
        assert.deepEqual(again, { status: protocol === 'tus' ? 204 : 200, id });
        const item = await getItem(user, id);
        assert.equal(item.original, 'OK');
        const { status, bytes: served } = await fetchLink(api.url, item.sourceUrl);
        assert.deepEqual([status, served.equals(bytes)], [200, true]);
        assert.deepEqual(await listStates(id), ['PENDING'], 'all runs are due again, because they read wrong bytes');
        assert.deepEqual(await check(user, bytes), { [sha256(bytes)]: id });
        const keys = (await api.listKeys()).filter((key) => key.startsWith(user.id));
        assert.deepEqual(keys, [originalKey(user.id, id)], 'the second copy is removed');
      });
    }
  }

  test(`uploading an intact original again by ${protocol} only records that its bytes are right`, async () => {
    const user = await api.signUp();
    const bytes = await buildPhoto();
    const { id } = await upload(user, bytes);
    await finishRuns(id);
    const { modifiedAt } = await objects.stat(originalKey(user.id, id));
    assert.equal((await upload(user, bytes)).id, id);
    assert.deepEqual((await objects.stat(originalKey(user.id, id))).modifiedAt, modifiedAt);
    assert.deepEqual(await listStates(id), ['DONE']);
    const recorded = await db
      .selectFrom('original_checks')
      .selectAll()
      .where('media_item_id', '=', id)
      .executeTakeFirstOrThrow();
    assert.deepEqual([recorded.state, recorded.object_modified_at], ['OK', modifiedAt]);
  });
}

for (const [protocol, upload] of Object.entries(uploads)) {
  test(`uploading by ${protocol} replaces a folder in the place of an original`, { skip: isOnCluster }, async () => {
    const user = await api.signUp();
    const bytes = await buildPhoto();
    const { id } = await upload(user, bytes);
    await damage(user, id, bytes, 'removed');
    await mkdir(join(api.deps.config.dataDirectory, 'objects', originalKey(user.id, id), 'inner'), { recursive: true });
    assert.deepEqual(await upload(user, bytes), { status: protocol === 'tus' ? 204 : 200, id });
    assert.deepEqual((await fetchLink(api.url, (await getItem(user, id)).sourceUrl)).bytes, bytes);
    const keys = (await api.listKeys()).filter((key) => key.startsWith(user.id));
    assert.deepEqual(keys, [originalKey(user.id, id)]);
  });
}

for (const how of ['truncated', 'emptied', 'lengthened', 'removed'] as const) {
  const state = how === 'removed' ? 'MISSING' : 'DAMAGED';

  test(`the check route reports a ${how} original as missing, and the item shows it as ${state}`, async () => {
    const user = await api.signUp();
    const bytes = await buildPhoto();
    const { id } = await uploads.multipart(user, bytes);
    await damage(user, id, bytes, how);
    assert.deepEqual(await check(user, bytes), {});
    const item = await getItem(user, id);
    assert.deepEqual([item.original, item.status], [state, 'PROCESSING']);
  });

  test(`a download of a ${how} original fails and records ${state}`, async () => {
    const user = await api.signUp();
    const bytes = await buildPhoto();
    const { id } = await uploads.multipart(user, bytes);
    const { sourceUrl } = await getItem(user, id);
    await damage(user, id, bytes, how);
    for (const [method, headers] of [
      ['HEAD', {}],
      ['GET', {}],
      ['GET', { range: 'bytes=0-3' }],
      ['GET', { range: 'bytes=-1' }],
    ] as const) {
      const response = await fetchLink(api.url, sourceUrl, { method, headers });
      assert.equal(response.status, how === 'removed' ? 404 : 500);
      if (method === 'GET') assert.equal(response.error.code, how === 'removed' ? 'NOT_FOUND' : 'ORIGINAL_DAMAGED');
    }
    assert.equal((await getItem(user, id)).original, state);
    await uploads.tus(user, bytes);
    assert.deepEqual((await fetchLink(api.url, sourceUrl)).bytes, bytes);
  });
}

test('reports a damaged original to a browser with a cached copy', async () => {
  const user = await api.signUp();
  const bytes = await buildPhoto();
  const { id } = await uploads.multipart(user, bytes);
  const { sourceUrl } = await getItem(user, id);
  const etag = (await fetchLink(api.url, sourceUrl)).headers.get('etag')!;
  const headers = { 'if-none-match': etag };
  assert.equal((await fetchLink(api.url, sourceUrl, { headers })).status, 304);
  await damage(user, id, bytes, 'truncated');
  assert.equal((await fetchLink(api.url, sourceUrl, { headers })).error.code, 'ORIGINAL_DAMAGED');
});

test('a video preview that is the original itself fails like the original', async () => {
  const user = await api.signUp();
  const bytes = await buildPhoto();
  const { id } = await uploads.multipart(user, bytes);
  await db
    .updateTable('media_items')
    .set({ preview_key: originalKey(user.id, id) })
    .where('id', '=', id)
    .execute();
  const { previewUrl } = await getItem(user, id);
  assert.equal((await fetchLink(api.url, previewUrl!)).status, 200);
  await damage(user, id, bytes, 'emptied');
  assert.equal((await fetchLink(api.url, previewUrl!)).error.code, 'ORIGINAL_DAMAGED');
});

test('an original that a scrub found damaged is reported as missing and not sent although its size is right', async () => {
  const user = await api.signUp();
  const bytes = await buildPhoto();
  const { id } = await uploads.multipart(user, bytes);
  const { sourceUrl } = await getItem(user, id);
  assert.equal((await fetchLink(api.url, sourceUrl)).status, 200);
  await damage(user, id, bytes, 'bit-flipped');
  assert.deepEqual(await check(user, bytes), { [sha256(bytes)]: id });
  const record = { id, user_id: user.id, size_bytes: bytes.length, checksum: Buffer.from(sha256(bytes), 'hex') };
  await recordOriginalCheck(db, id, await checkOriginalBytes(objects, record));
  assert.deepEqual(await check(user, bytes), {});
  for (const headers of [undefined, { range: 'bytes=0-3' }])
    assert.equal((await fetchLink(api.url, sourceUrl, headers && { headers })).error.code, 'ORIGINAL_DAMAGED');
  await uploads.multipart(user, bytes);
  assert.deepEqual((await fetchLink(api.url, sourceUrl)).bytes, bytes);
});

test('a re-upload does not read an original that was verified since its last write', async () => {
  const user = await api.signUp();
  const bytes = await buildPhoto();
  const { id } = await uploads.multipart(user, bytes);
  await uploads.multipart(user, bytes);
  // A fault that only reading the bytes reveals, because the store's timestamps do not show it.
  await damage(user, id, bytes, 'bit-flipped');
  const { modifiedAt } = await objects.stat(originalKey(user.id, id));
  await recordOriginalCheck(db, id, { state: 'OK', modifiedAt });
  await uploads.multipart(user, bytes);
  assert.ok(!(await buffer(await objects.open(originalKey(user.id, id)))).equals(bytes));
  // Any later write requires a new check.
  await damage(user, id, bytes, 'bit-flipped');
  await db
    .updateTable('original_checks')
    .set({ object_modified_at: new Date(0) })
    .execute();
  await uploads.multipart(user, bytes);
  assert.deepEqual(await buffer(await objects.open(originalKey(user.id, id))), bytes);
});

test('concurrent uploads of the same bytes repair a damaged original and leave one copy', async () => {
  const user = await api.signUp();
  const bytes = await buildPhoto();
  const { id } = await uploads.multipart(user, bytes);
  await damage(user, id, bytes, 'bit-flipped');
  const protocols = [uploads.multipart, uploads.tus, uploads.multipart, uploads.tus, uploads.multipart];
  const responses = await Promise.all(protocols.map(async (upload) => upload(user, bytes)));
  assert.ok(responses.every((response) => response.id === id));
  assert.deepEqual(await buffer(await objects.open(originalKey(user.id, id))), bytes);
  assert.equal(await getOriginalState(db, id), 'OK');
  const keys = (await api.listKeys()).filter((key) => key.startsWith(user.id));
  assert.deepEqual(keys, [originalKey(user.id, id)]);
});

test('neither checks nor stores originals while the store lacks the marker', async () => {
  const user = await api.signUp();
  const bytes = await buildPhoto();
  const { id } = await uploads.multipart(user, bytes);
  await damage(user, id, bytes, 'removed');
  const uploadId = await startUpload(user.call, bytes.length);
  await objects.remove([markerKey]);
  if (objects.isRemote) assert.deepEqual(await check(user, bytes), {});
  else {
    const calls = [
      () => user.call('checkMediaItems', { body: { checksums: [sha256(bytes)] } }),
      () => user.call('uploadMediaItem', fileUpload(bytes)),
      () => patch(user.call, uploadId, 0, bytes),
    ];
    for (const call of calls) {
      const { status, error } = await call();
      assert.deepEqual([status, error.message], [503, 'the object store is not reachable']);
    }
  }
  assert.equal(await getOriginalState(db, id), 'OK');
  await takeOverStore(objects, db);
  assert.deepEqual(await check(user, bytes), {});
  assert.equal(await getOriginalState(db, id), 'MISSING');
});
