import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createApiServer } from '../../server/app.ts';
import { checkError } from '@hearth/testkit/api/responseChecker.ts';
import { fetchLink } from '@hearth/testkit/api/client.ts';
import { boundary, multipartType, partHead } from '@hearth/testkit/api/multipart.ts';
import { openSocket, readResponses } from '@hearth/testkit/api/rawExchange.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
after(() => api.stop());

const login =
  'POST /v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';

/** Sends bytes slowly until all are sent or the server closes the connection. */
const drip = async (socket: Socket, bytes: Buffer, everyMs: number, atATime = 1): Promise<void> => {
  for (let at = 0; at < bytes.length && !socket.destroyed && socket.writable; at += atATime) {
    socket.write(bytes.subarray(at, at + atATime));
    await delay(everyMs);
  }
};

test('aborts a trickling JSON body after 30 s, but not a slow upload', async () => {
  const user = await api.signUp();
  const body = Buffer.concat([
    Buffer.from(partHead({ name: 'file', filename: 'a.jpg' })),
    await makeNextPhoto(),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const uploading = await openSocket(api.port);
  const uploaded = readResponses(uploading);
  uploading.write(
    `POST /v1/mediaItems HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${user.token}\r\n` +
      `Content-Type: ${multipartType}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const slowUpload = drip(uploading, body, 500, Math.ceil(body.length / 70));

  const startedAt = Date.now();
  const socket = await openSocket(api.port);
  const responses = readResponses(socket);
  socket.write(login);
  void drip(socket, Buffer.from('"username": "somebody"'.padEnd(98)), 1_000);
  const [response] = await responses;
  assert.ok(Date.now() - startedAt >= 29_000);
  checkError('a slow body', ['MALFORMED_REQUEST'], response!);

  await slowUpload;
  assert.equal((await uploaded)[0]?.status, 201);
  assert.ok(Date.now() - startedAt >= 34_000);
});

/** Starts the server on a free port and closes it after the tests. Returns the port. */
const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.closeAllConnections());
  after(() => server.close());
  return (server.address() as AddressInfo).port;
};

test('limits connections per address and in total, and reuses freed ones', async () => {
  for (const connections of [
    { perAddress: 5, total: 100 },
    { perAddress: 100, total: 5 },
  ]) {
    const port = await listen(createApiServer(api.deps, { onStopped: async () => undefined, connections }));
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(port)));
    for (const socket of sockets) socket.write(login);
    const refused = await openSocket(port);
    checkError('one too many', ['UNAVAILABLE'], (await readResponses(refused))[0]!);
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    // The server notices the end a moment later.
    await waitUntil('a new connection is accepted', async () => (await fetch(`http://127.0.0.1:${port}/version`)).ok);
  }
});

test('limits a trusted proxy only by the total', async () => {
  const proxied = await startTestApi({ sharedWith: api, config: { trustedProxies: ['loopback'] } });
  after(() => proxied.stop());
  const connections = { perAddress: 2, total: 10 };
  const port = await listen(createApiServer(proxied.deps, { onStopped: async () => undefined, connections }));
  const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(port)));
  for (const socket of sockets) socket.write(login);
  const refused = await openSocket(port);
  checkError('one too many', ['UNAVAILABLE'], (await readResponses(refused))[0]!);
  assert.ok(sockets.every(({ closed }) => !closed));
});

test('closes idle connections to make room for new ones', async () => {
  const connections = { perAddress: 100, total: 4 };
  const port = await listen(createApiServer(api.deps, { onStopped: async () => undefined, connections }));
  const idle = await Promise.all(Array.from({ length: 3 }, () => openSocket(port)));
  const ends = idle.map((socket) => once(socket, 'end'));
  for (const socket of idle) {
    socket.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  const next = await openSocket(port);
  await Promise.all(ends);
  next.write('GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.equal((await readResponses(next))[0]?.status, 200);
});

test('prevents a file opened in a browser from running or loading anything', async () => {
  const user = await api.signUp();
  const { sourceUrl } = (await user.call('getMediaItem', { params: { id: await user.uploadPhoto() } })).body;
  const { status, headers } = await fetchLink(api.url, sourceUrl);
  assert.deepEqual([status, headers.get('content-security-policy')], [200, "default-src 'none'; sandbox"]);
  const ofRange = await fetchLink(api.url, sourceUrl, { headers: { range: 'bytes=0-9' } });
  assert.deepEqual(
    [ofRange.status, ofRange.headers.get('content-security-policy')],
    [206, "default-src 'none'; sandbox"],
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});
