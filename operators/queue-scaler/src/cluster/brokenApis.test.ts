import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import type { Respond } from '@hearth/testkit/servers/fileServer.ts';
import { brokenApis, brokenObjects, slowApis } from '../testing/brokenApis.ts';
import { makeFastScaler, startFakeApi, type FakeApi } from '../testing/fakeApi.ts';
import { waitFor } from '../testing/waitFor.ts';
import { openApiServer, type ApiServer } from './apiServer.ts';
import { openCluster, type Cluster } from './cluster.ts';
import { acquireLeadership } from './election.ts';
import { startInformer } from './informer.ts';

let api: FakeApi;
let server: ApiServer;
let cluster: Cluster;
beforeEach(async () => {
  api = await startFakeApi();
  server = openApiServer({ url: api.url, caFile: undefined, tokenFile: undefined, silenceMs: 300 }, () => undefined);
  cluster = openCluster(server, 'test', () => true);
});
afterEach(async () => {
  server.close();
  await api.stop();
});

suite('every request fails when the API server sends', () => {
  for (const [name, respond] of Object.entries(brokenApis))
    test(name, async () => {
      api.misbehave(() => ({ respond }));
      const lease = { metadata: { name: 'leader', resourceVersion: '1' } };
      const requests = {
        listQueueScalers: cluster.listQueueScalers(),
        findQueueScaler: cluster.findQueueScaler('worker'),
        findDeployment: cluster.findDeployment('worker'),
        listPods: cluster.listPods(''),
        listAutoscalers: cluster.listAutoscalers(),
        listScaledObjects: cluster.listScaledObjects(),
        findSecret: cluster.findSecret('redis'),
        findLease: cluster.findLease('leader'),
        createLease: cluster.createLease('leader', {}),
        updateLease: cluster.updateLease(lease, {}),
      };
      const results = await Promise.allSettled(Object.values(requests));
      const returned = Object.keys(requests).filter((_, index) => results[index]?.status === 'fulfilled');
      const missing = ['findQueueScaler', 'findDeployment', 'listScaledObjects', 'findSecret', 'findLease'];
      assert.deepEqual(returned, name === 'status 404' ? missing : []);
    });
});

const line =
  (text: string): Respond =>
  (socket) => {
    const chunk = `${text}\n`;
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.end(`${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`);
  };

const brokenWatches: Readonly<Record<string, Respond>> = {
  ...slowApis,
  'a close in a chunk': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"type":"ADDED","obj'),
  'a truncated line': line('{"type":"ADDED","object":{"metadata":{"name":"worker"'),
  'an endless line': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{');
    const fill = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(1_000_000, 'x')));
    };
    socket.on('drain', fill);
    fill();
  },
  'a line with null': line('null'),
  'a line with a number': line('7'),
  'a line with an array': line('[]'),
  'a line with an unknown type': line('{"type":7,"object":{"metadata":{"name":"worker"}}}'),
  'a change of null': line('{"type":"MODIFIED","object":null}'),
  'a change without metadata': line('{"type":"ADDED","object":{}}'),
  'a change without a name': line('{"type":"ADDED","object":{"metadata":{"resourceVersion":"7"},"spec":{}}}'),
  'a change without a spec': line('{"type":"ADDED","object":{"metadata":{"name":"x","resourceVersion":"7"}}}'),
  'a bookmark without metadata': line('{"type":"BOOKMARK","object":{}}'),
  'an error without a reason': line('{"type":"ERROR"}'),
};

suite('the watch delivers only valid changes and continues after', () => {
  for (const [name, respond] of Object.entries({ ...brokenApis, ...brokenWatches }))
    test(name, async () => {
      let watchAttempts = 0;
      api.misbehave(({ verb }) => (verb.startsWith('WATCH') && (watchAttempts += 1) <= 3 ? { respond } : undefined));
      const changed: unknown[] = [];
      const ending = new AbortController();
      startInformer({
        cluster,
        onChange: ({ metadata }) => changed.push(metadata.name),
        onDelete: (name) => changed.push(`deleted ${name}`),
        onError: () => undefined,
        signal: ending.signal,
        delay: async () => undefined,
      });
      await waitFor('a valid watch', () => watchAttempts > 3 && api.watchCount() > 0);
      api.put('queuescalers', 'worker', makeFastScaler());
      await waitFor('the change', () => changed.length > 0);
      ending.abort();
      assert.deepEqual([...new Set(changed)], ['worker']);
    });
});

test('acquires leases only after the API server stops breaking the protocol', async (t) => {
  const attempted = new Set<string>();
  const acquired: string[] = [];
  let isBroken = true;
  api.misbehave(({ name }) => {
    const respond = isBroken ? brokenObjects.get(name ?? '') : undefined;
    return respond && { respond };
  });
  const ending = new AbortController();
  t.after(() => ending.abort());
  const elections = [...brokenObjects.keys()].map(async (leaseName) => {
    const onAttempt = (): void => void attempted.add(leaseName);
    const leadership = await acquireLeadership({
      cluster,
      leaseName,
      identity: 'one',
      signal: ending.signal,
      onError: () => undefined,
      onAttempt,
    });
    acquired.push(leaseName);
    await leadership?.release();
  });
  await waitFor('an attempt for each lease', () => attempted.size === brokenObjects.size);
  assert.deepEqual(acquired, []);
  isBroken = false;
  await Promise.all(elections);
});
