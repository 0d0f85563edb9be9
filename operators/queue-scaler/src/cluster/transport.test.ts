import assert from 'node:assert/strict';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { startFakeApi, type FakeApi } from '../testing/fakeApi.ts';
import { waitFor } from '../testing/waitFor.ts';
import { openCluster } from './cluster.ts';
import { openTransport, type Transport } from './transport.ts';

/** More than there are connections. */
const manyRequests = Array.from({ length: 40 });

suite('requests to an API server that answers some of them only', () => {
  let api: FakeApi;
  let transport: Transport;
  beforeEach(async () => {
    api = await startFakeApi();
    api.misbehave(({ verb }) => (verb === 'GET pods' ? 'silence' : undefined));
    const settings = { url: api.url, caFile: undefined, tokenFile: undefined, silenceMs: 90_000 };
    transport = openTransport(settings, () => undefined);
  });
  afterEach(async () => {
    transport.close();
    await api.stop();
  });
  const path = '/api/v1/namespaces/test/pods';
  const listPods = (timeoutMs: number): Promise<unknown> => transport.ask({ method: 'GET', path, timeoutMs });

  test('one that waits for a connection waits no longer than it may', async () => {
    const begin = performance.now();
    const slow = Promise.allSettled(manyRequests.map(() => listPods(30_000)));
    await assert.rejects(listPods(100), /timeout/);
    assert.ok(performance.now() - begin < 2_000);
    api.misbehave(undefined);
    transport.close();
    await slow;
  });

  test('those of the lease wait for none of the others', async () => {
    const cluster = openCluster(transport, 'test', () => true);
    const slow = Promise.allSettled(manyRequests.map(() => listPods(1_000)));
    await waitFor('all connections in use', () => api.requests.length > 0);
    const begin = performance.now();
    const lease = await cluster.createLease('leader', { holderIdentity: 'one', leaseDurationSeconds: 15 });
    await cluster.updateLease(lease, lease.spec);
    assert.ok(await cluster.findLease('leader'));
    assert.ok(performance.now() - begin < 800);
    await slow;
  });
});
