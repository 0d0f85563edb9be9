import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import { makeTestBytes } from '@hearth/testkit/objects/testBytes.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createClient, fetchLink } from '@hearth/testkit/api/client.ts';
import { startSocketPatch } from '@hearth/testkit/api/socketPatch.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { startUpload, getUploadStatus, patch } from '@hearth/testkit/api/uploads.ts';

const api = await startTestApi();
const replica = await startTestApi({ sharedWith: api });
after(async () => {
  await replica.stop();
  await api.stop();
});
const { db } = api.deps;
const user = await api.signUp();
const replicas = [api, replica].map(({ url, port }) => ({
  port,
  token: user.token,
  call: createClient(url, `Bearer ${user.token}`),
}));

/** The smallest parts that the store accepts, to get many of them. */
const partBytes = isOnCluster ? 5 * 2 ** 20 : 64 * 1024;
const maxBytes = 4 * partBytes;

/** One request with bytes. */
interface Send {
  readonly replica: number;
  /** Bytes to send, as a fraction of the rest of the file. */
  readonly size: number;
  readonly checksum: 'none' | 'right' | 'wrong';
  /** Destroys the connection `afterMs` milliseconds after the fraction `at` of the bytes was sent. */
  readonly cut: { readonly at: number; readonly afterMs: number } | undefined;
  /** Added to the right offset, in bytes. */
  readonly offsetError: number;
}

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const sending: fc.Arbitrary<Send> = fc.record({
  replica: fc.nat(1),
  size: fc.oneof(fraction, fc.constantFrom(0, 1)),
  checksum: fc.constantFrom('none', 'none', 'right', 'wrong'),
  cut: fc.option(fc.record({ at: fraction, afterMs: fc.nat(20) }), { nil: undefined, freq: 2 }),
  offsetError: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -50_000, max: 50_000 })),
});
/** Concurrent requests, usually one. */
const steps = fc.array(fc.oneof(fc.tuple(sending), fc.array(sending, { minLength: 2, maxLength: 4 })), {
  maxLength: 8,
});

/** Sends a request and returns its status, or undefined if it was interrupted. */
const send = async (id: string, file: Buffer, from: number, one: Send): Promise<number | undefined> => {
  const { call, port, token } = replicas[one.replica]!;
  const offset = Math.max(0, from + one.offsetError);
  const intended = file.subarray(offset, offset + Math.round(one.size * Math.max(0, file.length - offset)));
  const digest = createHash('sha1').update(intended).digest('base64');
  const checksum = { 'upload-checksum': `sha1 ${digest}` };
  const headers = one.checksum === 'none' ? undefined : checksum;
  // Damage is detected by the checksum. Without one, the client is responsible for what it sends.
  const bytes = one.checksum === 'wrong' ? Buffer.from(intended.map((byte) => byte ^ 1)) : intended;
  if (one.cut === undefined) return (await patch(call, id, offset, bytes, headers)).status;
  const request = await startSocketPatch({ port, token }, id, { offset, length: bytes.length, ...headers });
  await request.send(bytes.subarray(0, Math.floor(one.cut.at * bytes.length)));
  await delay(one.cut.afterMs);
  request.socket.destroy();
  return undefined;
};

/** Asserts that a single request changed the offset as expected. */
const expectOffset = (one: Send, status: number | undefined, before: number, after: number, length: number): void => {
  const size = Math.round(one.size * (length - before));
  const isDamaged = one.checksum === 'wrong' && size > 0;
  if (one.offsetError !== 0 && before + one.offsetError >= 0) assert.equal(after, before);
  else if (one.cut !== undefined) assert.ok(one.checksum === 'none' || after === before || after === before + size);
  else if (isDamaged) assert.deepEqual([status, after], [460, before]);
  else if (one.offsetError === 0) assert.deepEqual([status, after], [204, before + size]);
};

/**
 * Sends the rest of the file and returns the item. Retries, because an interrupted request may still have the claim.
 */
const sendRest = async (id: string, file: Buffer): Promise<string> => {
  const [first, second] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
  let finishedId: string | undefined;
  await waitUntil('the rest is accepted', async () => {
    const { offset, mediaItemId } = await getUploadStatus(second.call, id);
    finishedId = mediaItemId;
    if (finishedId !== undefined) return true;
    const { status } = await patch(first.call, id, offset, file.subarray(offset));
    assert.ok([204, 409, 423].includes(status), String(status));
    return false;
  });
  return finishedId!;
};

test('the stored file is intact after any interruptions, damage, repeats and concurrent requests', async () => {
  const property = fc.asyncProperty(fc.nat(maxBytes), steps, async (bytes, steps) => {
    const file = Buffer.concat([await makeNextPhoto(), makeTestBytes(1, bytes)]);
    const [first, second] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
    const id = await startUpload(first.call, file.length);
    await db.updateTable('uploads').set({ part_bytes: partBytes }).where('id', '=', id).execute();
    let offset = 0;
    for (const requests of steps) {
      const statuses = await Promise.all(requests.map((one) => send(id, file, offset, one)));
      const now = (await getUploadStatus(second.call, id)).offset;
      assert.ok(now >= offset && now <= file.length, `from ${offset} to ${now}`);
      if (requests.length === 1) expectOffset(requests[0], statuses[0], offset, now, file.length);
      for (const status of statuses) assert.ok([204, 409, 423, 460, undefined].includes(status), String(status));
      offset = now;
    }
    const mediaItemId = await sendRest(id, file);
    const { sourceUrl } = (await first.call('getMediaItem', { params: { id: mediaItemId } })).body;
    assert.ok((await fetchLink(api.url, sourceUrl)).bytes.equals(file));
    const item = db.selectFrom('media_items').select('checksum').where('id', '=', mediaItemId);
    assert.deepEqual((await item.executeTakeFirstOrThrow()).checksum, createHash('sha256').update(file).digest());
  });
  // No shrinking: a failure that depends on the moment of an interruption does not repeat.
  await fc.assert(property, { numRuns: isOnCluster ? 10 : 50, endOnFailure: true });
  // Nothing but originals remains.
  assert.deepEqual(
    (await api.listKeys()).filter((key) => !key.endsWith('/original')),
    [],
  );
  assert.equal(await api.deps.objects.removeUnfinished(new Date(Date.now() + 86_400_000)), 0);
});

test("limits a user's concurrent uploads without affecting other users", async () => {
  const busyUser = await api.signUp();
  const photo = await makeNextPhoto();
  const stalled = [];
  for (let n = 0; n < 8; n++) {
    const id = await startUpload(busyUser.call, photo.length);
    const request = await startSocketPatch({ port: api.port, token: busyUser.token }, id, {
      offset: 0,
      length: photo.length,
    });
    await request.send(photo.subarray(0, 50));
    stalled.push({ id, request });
  }
  // Waits until all of them occupy a slot.
  const late = await startUpload(busyUser.call, photo.length);
  let refused: Awaited<ReturnType<typeof patch>> | undefined;
  await waitUntil('an upload is refused', async () => {
    refused = await patch(busyUser.call, late, 0, Buffer.alloc(0));
    return refused.status !== 204;
  });
  assert.deepEqual([refused?.status, refused?.headers.get('retry-after')], [503, '5']);
  await user.uploadPhoto();
  const own = await startUpload(user.call, photo.length);
  assert.equal((await patch(user.call, own, 0, photo)).status, 204);
  for (const { request } of stalled) request.socket.destroy();
  let done: Awaited<ReturnType<typeof patch>> | undefined;
  await waitUntil('an upload is accepted again', async () => {
    done = await patch(busyUser.call, late, 0, photo);
    return done.status !== 503;
  });
  assert.equal(done?.status, 204);
});
