import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { connectRedis } from './redisConnection.ts';

suite('a connection to Redis', { skip: missingTool('redis-server') }, () => {
  test('rejects active commands of a broken connection on disconnect', async (t) => {
    const server = await startTestRedis();
    const proxy = await startTcpProxy();
    t.after(() => proxy.cut());
    const redis = connectRedis(proxy.setTarget(server.url), { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    assert.equal(await redis.set('key', 'value'), 'OK');
    await server.freeze();
    const waiting = redis.get('key');
    let attempts = 0;
    redis.on('reconnecting', () => (attempts += 1));
    // Stopped behind the proxy, which keeps accepting connections.
    await server.stop();
    await waitUntil('several attempts to connect have failed', () => attempts === 3);
    redis.disconnect();
    await assert.rejects(waiting, /Connection is closed/);
  });

  test('resends active commands after a reconnect', async (t) => {
    const server = await startTestRedis();
    t.after(() => server.stop());
    const proxy = await startTcpProxy();
    t.after(() => proxy.cut());
    const redis = connectRedis(proxy.setTarget(server.url), { maxRetriesPerRequest: null });
    redis.on('error', () => undefined);
    t.after(() => redis.disconnect());
    await redis.set('key', 'value');
    proxy.freeze();
    const waiting = redis.get('key');
    await proxy.cut();
    proxy.thaw();
    await proxy.open();
    assert.equal(await waiting, 'value');
  });
});
