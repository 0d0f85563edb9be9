import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { after, test } from 'node:test';
import { insertManyEvents } from '@hearth/testkit/libraries/manyEvents.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { createApiServer } from '../server/app.ts';
import { createLiveUpdates } from './liveUpdates.ts';
import { readEvents, type EventReader, type SeenEvent } from '@hearth/testkit/api/eventReader.ts';
import { openSocket } from '@hearth/testkit/api/rawExchange.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import type { TestUser } from '@hearth/testkit/api/testUser.ts';

const api = await startTestApi();
const proxy = await startTcpProxy();
const behindProxy = await startTestApi({
  sharedWith: api,
  config: { databaseUrl: proxy.setTarget(api.deps.config.databaseUrl) },
});
after(async () => {
  await behindProxy.stop();
  await api.stop();
  await proxy.cut();
});

/** Starts a server for the same API on another port, with these times for live updates. */
const serveWith = async (times: Parameters<typeof createLiveUpdates>[1]) => {
  const liveUpdates = createLiveUpdates(api.deps, times);
  const server = createApiServer({ ...api.deps, liveUpdates }, { onStopped: async () => undefined });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  after(() => server.close().closeAllConnections());
  return { port, url: `http://127.0.0.1:${port}`, sockets, liveUpdates };
};

const times = { busyMs: 20, quietMs: 20, heartbeatMs: 60_000, drainTimeoutMs: 60_000 };

const watch = async ({ token }: TestUser, url: string, lastId?: string): Promise<EventReader> => {
  const reader = await readEvents(url, token, { lastId });
  await reader.until(({ event }) => event === 'ready');
  return reader;
};

const created =
  (id: string) =>
  ({ data }: SeenEvent): boolean =>
    data.id === id && data.type === 'created';

test('keeps an idle stream alive with heartbeats', async () => {
  const user = await api.signUp();
  const { url } = await serveWith({ ...times, heartbeatMs: 100 });
  const reader = await watch(user, url);
  await waitUntil('three heartbeats have arrived', () => reader.heartbeats() >= 3);
  assert.equal(reader.events.length, 1);
  await reader.close();
});

test('drops a client that does not read, bounds its memory use, and loses no event when it reconnects', async () => {
  const user = await api.signUp();
  const { url, port, sockets } = await serveWith({ ...times, drainTimeoutMs: 1_000 });
  const first = await watch(user, url);
  await first.close();
  await waitUntil('the connection is closed', () => sockets.size === 0);
  const socket = await openSocket(port);
  const lines = ['GET /v1/events HTTP/1.1', 'Host: x', `Authorization: Bearer ${user.token}`, '', ''];
  socket.write(lines.join('\r\n'));
  const [beginning] = (await once(socket, 'data')) as [Buffer];
  assert.match(beginning.toString('latin1'), /^HTTP\/1.1 200 /);
  socket.pause();
  const [serverSide] = sockets;
  // About 6 MB: more than the socket buffers hold, so most of it would have to wait in this process.
  const count = 50_000;
  await insertManyEvents(api.deps.db, user.id, count);
  let maxUnsentBytes = 0;
  const isDropped = (): boolean => {
    maxUnsentBytes = Math.max(maxUnsentBytes, serverSide?.writableLength ?? 0);
    return sockets.size === 0;
  };
  await waitUntil('the client is dropped', isDropped, { timeoutMs: 300_000 });
  assert.ok(
    maxUnsentBytes > 0 && maxUnsentBytes < 500_000,
    `at most ${maxUnsentBytes} bytes were buffered for the client`,
  );
  socket.destroy();

  const reader = await readEvents(url, user.token, { lastId: first.lastId() });
  await waitUntil('every event has arrived', () => reader.events.length >= count, { timeoutMs: 300_000 });
  await reader.until(({ event }) => event === 'ready');
  assert.equal(new Set(reader.events.flatMap(({ data }) => data.id ?? [])).size, count);
  await reader.close();
});

const isPausedWarning = ({ arguments: args }: { readonly arguments: readonly unknown[] }): boolean =>
  args.includes('live updates paused until the database is available');

for (const [event, interrupt, restore] of [
  ['is restarted', () => proxy.cut(), () => proxy.open()],
  ['is frozen for a while', async () => proxy.freeze(), async () => proxy.thaw()],
] as const) {
  test(`streams survive a database that ${event}, and report the missed events`, async (t) => {
    const warn = t.mock.method(behindProxy.deps.log, 'warn');
    const user = await api.signUp();
    const reader = await watch(user, behindProxy.url);
    await interrupt();
    const id = await user.uploadPhoto();
    await waitUntil('a query has failed', () => warn.mock.calls.some(isPausedWarning));
    assert.equal(reader.events.length, 1);
    await restore();
    await reader.until(created(id));
    await reader.close();
  });
}

test('ends streams cleanly when the process stops, and starts no new ones', async () => {
  const user = await api.signUp();
  const { url, liveUpdates } = await serveWith(times);
  const readers = await Promise.all([watch(user, url), watch(user, url)]);
  liveUpdates.stop();
  assert.deepEqual(await Promise.all(readers.map(({ ended }) => ended)), [true, true]);
  const { status } = await readEvents(url, user.token);
  assert.equal(status, 503);
});
