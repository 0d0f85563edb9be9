import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLease } from '../../housekeeping/leases/leases.ts';
import { isOnCluster } from '@hearth/testkit/run/backEnds.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { removeMarked } from '../../housekeeping/removal.ts';
import { checkResponse } from '@hearth/testkit/api/responseChecker.ts';
import { boundary, fileUpload, multipartType, partHead } from '@hearth/testkit/api/multipart.ts';
import { openSocket, readResponses } from '@hearth/testkit/api/rawExchange.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto, type TestUser } from '@hearth/testkit/api/testUser.ts';

const maxUploadBytes = 2_000_000;
const api = await startTestApi({ config: { maxUploadBytes } });
const user = await api.signUp();
after(() => api.stop());

const head = Buffer.from(partHead({ name: 'file', filename: 'a.jpg' }));
const end = Buffer.from(`\r\n--${boundary}--\r\n`);

/** Starts an upload whose bytes the test sends itself. */
const openUpload = ({ token }: TestUser, headers: Record<string, string | number> = {}): ClientRequest =>
  request(`${api.url}/v1/mediaItems`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': multipartType, ...headers },
  });

const readResponse = async (sent: ClientRequest) => {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await response.toArray());
  const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  checkResponse('uploadMediaItem', { status: response.statusCode ?? 0, headers, bytes });
  return { status: response.statusCode, headers, body: JSON.parse(bytes.toString()) as { id?: string; code?: string } };
};

/** Asserts that the user has no items and the store is unchanged. */
const assertNothingIsLeft = async (before: readonly string[], { call }: TestUser): Promise<void> => {
  await waitUntil('no unfinished object is left', async () => (await api.listUnfinished()).length === 0);
  assert.deepEqual(await api.listKeys(), before);
  assert.deepEqual((await call('listMediaItems')).body, []);
};

test('accepts a file of exactly the size limit, and rejects one byte more without leaving anything', async () => {
  const { call } = user;
  const photo = await makeNextPhoto();
  const sized = (bytes: number): Buffer => Buffer.concat([photo, Buffer.alloc(bytes - photo.length)]);
  assert.equal((await call('uploadMediaItem', fileUpload(sized(maxUploadBytes)))).status, 201);
  const [before, other] = [await api.listKeys(), await api.signUp()];
  for (const size of [maxUploadBytes + 1, 10 * maxUploadBytes]) {
    const response = await other.call('uploadMediaItem', fileUpload(sized(size)));
    assert.deepEqual([response.status, response.error.code], [413, 'PAYLOAD_TOO_LARGE']);
  }
  await assertNothingIsLeft(before, other);
});

for (const [when, bytes] of [
  ['before the first byte', 0],
  ['in the header of the part', 20],
  ['at the first bytes of the file', head.length + 10],
  ['half-way', 700_000],
] as const) {
  test(`a client that disconnects ${when} leaves no object, row or file`, async (t) => {
    const reserve = t.mock.method(api.deps.disk, 'reserve');
    const [before, leaving] = [await api.listKeys(), await api.signUp()];
    const whole = Buffer.concat([head, await makeNextPhoto(), Buffer.alloc(1_000_000), end]);
    const sent = openUpload(leaving, { 'content-length': whole.length });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    if (bytes > 0) sent.write(whole.subarray(0, bytes));
    await waitUntil('the upload is accepted', () => reserve.mock.callCount() > 0);
    // With S3, nothing is visible before the first part is complete.
    if (bytes > 100_000 && !isOnCluster)
      await waitUntil('the file is being stored', async () => (await api.listUnfinished()).length > 0);
    sent.destroy();
    await assertNothingIsLeft(before, leaving);
  });
}

test('leaves nothing when the client ends the request too early', async () => {
  const [before, leaving] = [await api.listKeys(), await api.signUp()];
  const sent = openUpload(leaving, { 'transfer-encoding': 'chunked' });
  sent.end(Buffer.concat([head, await makeNextPhoto(), Buffer.alloc(500_000)]));
  const { status, body } = await readResponse(sent);
  assert.deepEqual([status, body.code], [400, 'MALFORMED_REQUEST']);
  await assertNothingIsLeft(before, leaving);
});

test('sends 100 Continue and then the response', async () => {
  const sent = openUpload(user, { expect: '100-continue', 'transfer-encoding': 'chunked' });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.end(Buffer.concat([head, await makeNextPhoto(), end]));
  assert.equal((await readResponse(sent)).status, 201);
});

test('accepts an upload sent byte by byte, including boundaries', async () => {
  const photo = (await makeNextPhoto()).subarray(0, 400);
  const sent = openUpload(user, { 'transfer-encoding': 'chunked' });
  sent.setNoDelay(true);
  for (const byte of Buffer.concat([head, photo, end])) {
    sent.write(Buffer.of(byte));
    await delay(1);
  }
  sent.end();
  const { status, body } = await readResponse(sent);
  assert.equal(status, 201);
  assert.equal((await user.call('getMediaItem', { params: { id: body.id ?? '' } })).body.sizeBytes, photo.length);
});

for (const [name, beginning, length, status] of [
  ['2 MB that are not a photo', Buffer.concat([head, Buffer.alloc(100_000, 'text')]), maxUploadBytes, 400],
  [
    '50 MB, which is too large,',
    Buffer.concat([head, await makeNextPhoto(), Buffer.alloc(maxUploadBytes)]),
    50_000_000,
    413,
  ],
] as const) {
  test(`a client that sends ${name} can read the error before it has sent everything`, async (t) => {
    const other = await api.signUp();
    const before = await api.listKeys();
    const socket = await openSocket(api.port);
    const responses = readResponses(socket);
    // The API drains the body for some seconds, while a busy machine may need longer to send it.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    socket.write(
      `POST /v1/mediaItems HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${other.token}\r\n` +
        `Content-Type: ${multipartType}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.write(beginning);
    for (let left = length - beginning.length; left > 0 && socket.writable; left -= 500_000) {
      await new Promise((done) => socket.write(Buffer.alloc(Math.min(left, 500_000)), done));
    }
    const [response] = await responses;
    t.mock.timers.reset();
    assert.equal(response?.status, status);
    assert.equal(socket.errored, null);
    checkResponse('uploadMediaItem', response);
    await assertNothingIsLeft(before, other);
  });
}

test('disconnects a client that keeps sending a rejected body', async () => {
  const socket = await openSocket(api.port);
  const responses = readResponses(socket);
  socket.write('POST /v1/mediaItems HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
  const sending = setInterval(() => socket.write('x'), 50);
  assert.deepEqual(
    (await responses).map(({ status }) => status),
    [401],
  );
  clearInterval(sending);
});

test('rejects an upload at its end if the user was deleted meanwhile', async (t) => {
  const reserve = t.mock.method(api.deps.disk, 'reserve');
  const leaving = await api.signUp();
  const before = await api.listKeys();
  const sent = openUpload(leaving, { 'transfer-encoding': 'chunked' });
  sent.write(Buffer.concat([head, await makeNextPhoto()]));
  await waitUntil('the upload is accepted', () => reserve.mock.callCount() > 0);
  if (!isOnCluster) await waitUntil('the file is being stored', async () => (await api.listUnfinished()).length > 0);
  await api.callAsAdmin('deleteUser', { params: { id: leaving.id } });
  const lease = await acquireLease(api.deps.db, 'test', leaving.id, 60_000);
  await removeMarked(api.deps, lease!);
  sent.end(end);
  const { status } = await readResponse(sent);
  assert.equal(status, 401);
  assert.deepEqual(await api.listKeys(), before);
});
