import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { startLoadHearth } from './loadHearth.ts';
import { runK6 } from './runK6.ts';

/** How many workers the API server of a cluster shows, by the seconds since it was first asked: none, two, one, and none again. */
const workersAt = (seconds: number): number => (seconds < 3 ? 0 : seconds < 14 ? 2 : seconds < 16 ? 1 : 0);

/** Answers as the API server of a cluster does when it is asked for the Deployments of a namespace. */
const startCluster = async (t: TestContext): Promise<{ readonly url: string; readonly asked: string[] }> => {
  const asked: string[] = [];
  let firstAt = NaN;
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (Number.isNaN(firstAt)) firstAt = Date.now();
    const readyReplicas = workersAt((Date.now() - firstAt) / 1_000);
    // As Kubernetes has it, which leaves out a number that is 0.
    const items = [{ status: readyReplicas === 0 ? {} : { readyReplicas } }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ kind: 'DeploymentList', items }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
};

test(
  'a spike says when the first worker was ready, how many there were, and when they were gone',
  { skip: missingTool('k6') },
  async (t) => {
    const { run } = await startLoadHearth(t);
    const { url, asked } = await startCluster(t);
    const kubernetes = { url, namespace: 'photos' };
    const load = { ...run, kubernetes, load: 'spike', seconds: '4', rate: '3', slowness: '10' } as const;
    const { code, output } = await runK6(load, () => undefined);
    assert.equal(code, 0, output);
    const { metrics } = JSON.parse(await readFile(join(run.reportFolder, 'spike.json'), 'utf8')) as {
      readonly metrics: Readonly<Record<string, { readonly values: { readonly value: number } }>>;
    };
    const valueOf = (name: string): number => metrics[name]?.values.value ?? NaN;
    // The first photo has arrived within a second or two of the first look.
    assert.ok(valueOf('scale_up_seconds') > 0.5 && valueOf('scale_up_seconds') < 4, output);
    assert.equal(valueOf('most_workers'), 2);
    assert.ok(valueOf('burst_ready_seconds') >= 4, output);
    assert.ok(valueOf('scale_down_seconds') > 3 && valueOf('scale_down_seconds') < 14, output);
    assert.match(
      asked[0] ?? '',
      /^\/apis\/apps\/v1\/namespaces\/photos\/deployments\?labelSelector=app\.kubernetes\.io%2Fcomponent%3Dworker$/,
    );
  },
);
