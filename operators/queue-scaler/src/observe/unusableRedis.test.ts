import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { suite, test } from 'node:test';
import { startTestRedis } from '@hearth/core/testing/redis.ts';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { observeTestQueues, queueSpec } from '../testing/observeTestQueues.ts';
import { waitFor } from '../testing/waitFor.ts';
import { observeQueues, type QueuesObservation } from './observeQueues.ts';

suite('what is observed where Redis cannot be used', { skip: missingTool('redis-server') }, () => {
  const bench = observeTestQueues();
  const { connections, observe, openQueue } = bench;

  test('a Redis that does not answer keeps nobody waiting who asks right after', async () => {
    const frozen = await startTestRedis();
    try {
      await frozen.freeze();
      const look = (): Promise<QueuesObservation> =>
        observeQueues(connections, frozen.url, { queues: [queueSpec('any')], lookaheadSeconds: 0 }, Date.now());
      await look();
      const begin = performance.now();
      for (let times = 0; times < 20; times++)
        assert.match((await look()).unknownQueues[0]?.reason ?? '', /did not answer within/);
      assert.ok(performance.now() - begin < 1_000);
    } finally {
      await frozen.thaw();
      await frozen.stop();
    }
  });

  test('a Redis that closes every connection is told of in one sentence, whenever it does', async () => {
    const closings: readonly ((socket: Socket) => void)[] = [
      (socket) => socket.destroy(),
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.once('data', () => socket.destroy()),
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      // As one that has loaded, and closes in the middle of the questions.
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
        // Forgets the failure.
        connections.closeIdle();
      }
      server.close();
    }
    assert.deepEqual([...reasons], ['Redis closed the connection']);
  });

  test('what is said of an address that is none does not show it', async () => {
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

  test('a Redis that is slow, frozen, killed, back and emptied is unknown, known and unknown', async () => {
    const queue = await openQueue('fragile');
    await queue.add('job', {});
    const isKnown = async (): Promise<boolean> => (await observe('fragile')).unknownQueues.length === 0;
    assert.equal(await isKnown(), true);
    await bench.server.freeze();
    assert.match((await observe('fragile')).unknownQueues[0]?.reason ?? '', /did not answer within/);
    await bench.server.thaw();
    await waitFor('the thawed one', isKnown);
    await bench.server.kill();
    assert.match((await observe('fragile')).unknownQueues[0]?.reason ?? '', /ECONNREFUSED|closed/);
    await bench.server.restart();
    await waitFor('the one that is back', isKnown);
    await bench.redis.flushall();
    assert.equal(await isKnown(), false);
  });

  test('a refused password is said, and not shown', async () => {
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
