import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { CoreV1Api } from '@kubernetes/client-node';
import { startFakeApi, type FakeApi } from '../testing/fakeApi.ts';
import { waitFor } from '../testing/waitFor.ts';
import { openApiServer, type ApiServer } from './apiServer.ts';
import { openCluster, type Cluster } from './cluster.ts';

/** More requests than connections. */
const manyRequests = Array.from({ length: 40 });

suite('API server that never responds to some requests', () => {
  let api: FakeApi;
  let server: ApiServer;
  let cluster: Cluster;
  beforeEach(async () => {
    api = await startFakeApi();
    api.misbehave(({ verb }) => (verb === 'GET pods' ? 'silence' : undefined));
    const settings = { url: api.url, caFile: undefined, tokenFile: undefined, silenceMs: 90_000 };
    server = openApiServer(settings, () => undefined);
    cluster = openCluster(server, 'test', () => true);
  });
  afterEach(async () => {
    server.close();
    await api.stop();
  });
  const listPods = (timeoutMs: number): Promise<unknown> =>
    server.request((options) => server.client(CoreV1Api).listNamespacedPod({ namespace: 'test' }, options), timeoutMs);

  test('the timeout of a request includes the wait for a connection', async () => {
    let settled = 0;
    const slow = Promise.allSettled(manyRequests.map(() => listPods(30_000).finally(() => (settled += 1))));
    await assert.rejects(listPods(100), /timeout/);
    assert.equal(settled, 0, 'requests that no longer use a connection');
    api.misbehave(undefined);
    server.close();
    await slow;
  });

  test('requests for the lease do not wait for other requests', async () => {
    let settled = 0;
    const slow = manyRequests.map(() => listPods(60_000).finally(() => (settled += 1)));
    const all = Promise.allSettled(slow);
    await waitFor('all connections in use', () => api.requests.length >= 16);
    const lease = await cluster.createLease('leader', { holderIdentity: 'one', leaseDurationSeconds: 15 });
    await cluster.updateLease(lease, lease.spec ?? {});
    assert.ok(await cluster.findLease('leader'));
    assert.equal(settled, 0);
    server.close();
    await all;
  });
});
