import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { mangles, type Mangle, startManglingProxy } from '@hearth/testkit/proxies/manglingProxy.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { observeTestQueues, queueSpec } from '../testing/observeTestQueues.ts';
import { waitFor } from '../testing/waitFor.ts';
import { observeQueues, type QueuesObservation } from './observeQueues.ts';

/** Replies that are not counts, to every command or only to counting ones. */
const otherReplies: Readonly<Record<string, Mangle>> = Object.fromEntries(
  ['+OK', ':-1', '$-1', '$3\r\nabc', '*-1', '*1\r\n*1\r\n:7'].flatMap((reply) => [
    [`${JSON.stringify(reply)} to all`, (_, client) => client.write(`${reply}\r\n`.repeat(12))],
    [
      `${JSON.stringify(reply)} for counts`,
      (_, client) => client.write(`:1\r\n*2\r\n$-1\r\n$-1\r\n${`${reply}\r\n`.repeat(10)}`),
    ],
  ]),
);

suite('observation while Redis is unavailable', { skip: missingTool('redis-server') }, () => {
  const bench = observeTestQueues();
  const { connections, observe, openQueue } = bench;

  test('after a timeout further observations fail immediately', async () => {
    const frozen = await startTestRedis();
    try {
      await frozen.freeze();
      const observeFrozen = (): Promise<QueuesObservation> =>
        observeQueues(connections, frozen.url, { queues: [queueSpec('any')], lookaheadSeconds: 0 }, Date.now());
      await observeFrozen();
      const begin = performance.now();
      for (let times = 0; times < 20; times++)
        assert.match((await observeFrozen()).unknownQueues[0]?.reason ?? '', /no response from Redis within/);
      assert.ok(performance.now() - begin < 1_000);
    } finally {
      await frozen.thaw();
      await frozen.stop();
    }
  });

  test('reports the same reason for a closed connection, no matter when it closes', async () => {
    const closings: readonly ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.once('data', () => socket.destroy()),
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      // Responds to INFO like a ready Redis, and closes the connection during the pipeline.
      (socket) =>
        socket.on('data', (data) => {
          if (data.includes('info')) socket.write('$18\r\nredis_version:8.0\n\r\n');
          else socket.destroy();
        }),
    ];
    const reasons = new Set<string | undefined>();
    for (const close of closings) {
      const server = createServer((socket) => close(socket.on('error', () => undefined)));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (let times = 0; times < 5; times++) {
        const spec = { queues: [queueSpec('any')], lookaheadSeconds: 0 };
        reasons.add((await observeQueues(connections, url, spec, Date.now())).unknownQueues[0]?.reason);
        // Clears the cached failure.
        connections.closeIdle();
      }
      server.close();
    }
    assert.deepEqual([...reasons], ['Redis closed the connection']);
  });

  test('the reason for an invalid URL does not contain the URL', async () => {
    for (const url of ['redis://:secret@host:99999', 'redis://:secret@[::bad', 'redis://:sec ret@nowhere.invalid/a']) {
      const { unknownQueues } = await observeQueues(
        connections,
        url,
        { queues: [queueSpec('any')], lookaheadSeconds: 0 },
        Date.now(),
      );
      assert.equal(unknownQueues.length, 1);
      assert.doesNotMatch(unknownQueues[0]?.reason ?? '', /sec/);
    }
  });

  for (const [fault, mangle] of Object.entries({ ...mangles, ...otherReplies }))
    test(`reports no invalid count while Redis sends ${fault}`, async (t) => {
      const queue = await openQueue(`mangled-${fault.replaceAll(':', '')}`);
      await queue.add('job', {});
      const proxy = await startManglingProxy(bench.server.url);
      t.after(() => proxy.close());
      const observeMangled = (): Promise<QueuesObservation> =>
        observeQueues(connections, proxy.url, { queues: [queueSpec(queue.name)], lookaheadSeconds: 0 }, Date.now());
      assert.equal((await observeMangled()).queues[0]?.waiting, 1);
      proxy.mangle(mangle);
      for (let times = 0; times < 3; times++) {
        const { queues } = await observeMangled();
        if (fault in otherReplies) assert.deepEqual(queues, []);
        for (const { waiting } of queues) assert.ok(Number.isSafeInteger(waiting), `waiting: ${waiting}`);
        // Clears the cached failure.
        connections.closeIdle();
      }
      proxy.mangle(undefined);
      await waitFor('the queue', async () => (await observeMangled()).queues[0]?.waiting === 1);
    });

  test('queues are unknown while Redis is frozen, killed or empty, and known again afterwards', async () => {
    const queue = await openQueue('fragile');
    await queue.add('job', {});
    const isKnown = async (): Promise<boolean> => (await observe('fragile')).unknownQueues.length === 0;
    assert.equal(await isKnown(), true);
    await bench.server.freeze();
    assert.match((await observe('fragile')).unknownQueues[0]?.reason ?? '', /no response from Redis within/);
    await bench.server.thaw();
    await waitFor('the thawed Redis', isKnown);
    await bench.server.kill();
    assert.match((await observe('fragile')).unknownQueues[0]?.reason ?? '', /ECONNREFUSED|closed/);
    await bench.server.restart();
    await waitFor('the restarted Redis', isKnown);
    await bench.redis.flushall();
    assert.equal(await isKnown(), false);
  });

  test('reports a wrong password without showing it', async () => {
    const guarded = await startTestRedis({ args: ['--requirepass', 'right'] });
    try {
      const url = guarded.url.replace('redis://', 'redis://:wrong@');
      const { unknownQueues } = await observeQueues(
        connections,
        url,
        { queues: [queueSpec('any')], lookaheadSeconds: 0 },
        Date.now(),
      );
      assert.match(unknownQueues[0]?.reason ?? '', /WRONGPASS|NOAUTH/);
      assert.doesNotMatch(unknownQueues[0]?.reason ?? '', /wrong@/);
    } finally {
      await guarded.stop();
    }
  });
});
