import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario, scenarios } from './helm.ts';
import { findPod, isAllowed, isInBlock, type Connection, type Pod } from './networkFlows.ts';
import { podTemplates } from './pods.ts';

/** Returns a pod outside the release. */
const podIn = (namespace: string): Pod => ({ labels: { app: 'any' }, namespace, ports: {} });

const addresses = {
  public: '140.82.121.4',
  publicIPv6: '2606:50c0:8000::154',
  private: '10.1.2.3',
  metadata: '169.254.169.254',
  metadataIPv6: 'fd00:ec2::254',
  azure: '168.63.129.16',
  alibaba: '100.100.100.200',
  nodeLocalDns: '169.254.20.10',
} as const;

/**
 * Parses a target: `postgres:5432` is a pod of the release, `redis/:6379` a pod in a namespace, `private:5432` or
 * `10.9.9.9:3128` an address. A trailing `udp` selects UDP.
 */
const toConnection = (scenario: string, text: string): Connection => {
  const [, target = '', port = '', protocol = ''] = /^(\S+):(\d+)( udp)?$/.exec(text) ?? assert.fail(text);
  const ip = addresses[target as keyof typeof addresses] ?? (/^[\d.]+$/.test(target) ? target : undefined);
  const to = ip
    ? { ip }
    : target.endsWith('/')
      ? podIn(target.slice(0, -1))
      : findPod(renderScenario(scenario), target);
  return { to, port: Number(port), protocol: protocol === '' ? 'TCP' : 'UDP' };
};

interface Flows {
  readonly scenario: string;
  /** Component, and pool for a worker. */
  readonly from: readonly [string, string?];
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

const dns = ['kube-system/:53 udp', 'kube-system/:53', 'nodeLocalDns:53 udp'];
const bundled = ['postgres:5432', 'redis:6379', 'minio:9000'];
const metadata = [
  'metadata:80',
  'metadataIPv6:80',
  'azure:80',
  'alibaba:80',
  'metadata:53 udp',
  'metadata:443',
  'metadataIPv6:443',
];
const elsewhere = [
  'private:5432',
  'private:443',
  'other/:8080',
  'other/:53 udp',
  'public:80',
  'api:5001',
  'operator:9464',
];
const internet = ['public:443', 'publicIPv6:443'];

/** Connections from a pod by scenario. */
const flows: readonly Flows[] = [
  {
    scenario: 'default',
    from: ['worker', 'media'],
    allowed: [...dns, ...bundled],
    denied: [...metadata, ...elsewhere, ...internet],
  },
  { scenario: 'default', from: ['worker', 'video'], allowed: bundled, denied: [...metadata, ...internet] },
  { scenario: 'default', from: ['worker', 'transcode'], allowed: bundled, denied: [...metadata, ...internet] },
  // Models come from the internet unless a mirror or isOffline is set.
  {
    scenario: 'default',
    from: ['worker', 'ml'],
    allowed: [...dns, ...bundled, ...internet],
    denied: [...metadata, ...elsewhere],
  },
  {
    scenario: 'default',
    from: ['api'],
    allowed: [...dns, ...bundled, ...internet],
    denied: [...metadata, 'private:443', 'other/:8080'],
  },
  {
    scenario: 'default',
    from: ['operator'],
    allowed: ['redis:6379', 'private:6443'],
    denied: ['postgres:5432', 'minio:9000'],
  },
  { scenario: 'default', from: ['postgres'], allowed: [], denied: [...dns, ...metadata, ...internet, 'redis:6379'] },
  { scenario: 'default', from: ['minio'], allowed: [], denied: [...dns, ...metadata, ...internet, 'postgres:5432'] },
  { scenario: 'default', from: ['redis'], allowed: [], denied: [...dns, ...metadata, ...internet, 'postgres:5432'] },
  {
    scenario: 'high-availability',
    from: ['site'],
    allowed: [],
    denied: [...dns, ...metadata, ...internet, 'postgres:5432'],
  },
  { scenario: 'gateway', from: ['site'], allowed: [...dns, 'api:5001'], denied: [...metadata, ...internet] },
  {
    scenario: 'existing-all',
    from: ['worker', 'media'],
    allowed: [...dns, 'private:5432', 'private:6379', 'other/:5432', 'other/:9000', 'public:9000'],
    denied: [
      ...metadata,
      'metadata:5432',
      'metadata:9000',
      'metadataIPv6:6379',
      ...internet,
      'other/:8080',
      'public:80',
    ],
  },
  {
    scenario: 'existing-s3',
    from: ['worker', 'media'],
    allowed: ['postgres:5432', 'redis:6379', 'private:9000'],
    denied: ['private:5432', ...internet, ...metadata],
  },
  {
    scenario: 'mirror',
    from: ['worker', 'ml'],
    allowed: ['private:80', 'public:80'],
    denied: [...metadata, ...internet],
  },
  { scenario: 'mirror', from: ['worker', 'media'], allowed: ['private:80'], denied: [...metadata, ...internet] },
  {
    scenario: 'mirror',
    from: ['worker', 'transcode'],
    allowed: bundled,
    denied: ['private:80', 'public:80', ...internet, ...metadata],
  },
  { scenario: 'mirror', from: ['api'], allowed: ['private:80'], denied: [...metadata, ...internet] },
  {
    scenario: 'closed-network',
    from: ['worker', 'ml'],
    allowed: ['openshift-dns/:5353 udp', 'private:5432', 'redis/:6380', '203.0.113.7:443', '10.9.9.9:3128'],
    denied: [
      'kube-system/:53 udp',
      '10.1.2.4:5432',
      'redis/:6379',
      'other/:6380',
      '10.0.0.10:443',
      ...internet,
      ...metadata,
    ],
  },
  {
    scenario: 'closed-network',
    from: ['operator'],
    allowed: ['openshift-dns/:5353', 'redis/:6380', '10.0.0.10:6443'],
    denied: ['private:5432', '10.0.0.11:6443', '203.0.113.7:443', ...internet, ...metadata],
  },
  {
    scenario: 'autoscaling',
    from: ['worker', 'media'],
    allowed: [...dns, ...bundled, ...internet, 'metadata:80'],
    denied: ['api:9464'],
  },
  { scenario: 'existing-secrets', from: ['worker', 'media'], allowed: ['api:9464', 'metadata:80'], denied: [] },
];

suite('network policies', { skip: missingTool('helm') }, () => {
  for (const { scenario, from, allowed, denied } of flows)
    test(`${scenario}: ${from.join(' ')} connects to ${allowed.join(', ') || 'nothing'} only`, () => {
      const objects = renderScenario(scenario);
      const pod = findPod(objects, ...from);
      const isOpen = (text: string): boolean => isAllowed(objects, pod, toConnection(scenario, text));
      assert.deepEqual(
        allowed.filter((text) => !isOpen(text)),
        [],
        'denied',
      );
      assert.deepEqual(denied.filter(isOpen), [], 'allowed');
    });

  test('workers reach no metadata service in any scenario with egress policies', () => {
    for (const scenario of scenarios.filter((each) => !['autoscaling', 'existing-secrets'].includes(each))) {
      const objects = renderScenario(scenario);
      const pools = podTemplates(objects).flatMap(({ labels }) => labels['hearth.photos/pool'] ?? []);
      assert.ok(pools.length > 0, scenario);
      for (const pool of pools) {
        const from = findPod(objects, 'worker', pool);
        const reached = metadata.filter((text) => isAllowed(objects, from, toConnection(scenario, text)));
        assert.deepEqual(reached, [], `${scenario}: ${pool}`);
      }
    }
  });

  test('only the namespace in metricsFrom can read metrics', () => {
    const objects = renderScenario('monitoring');
    for (const [component, pool] of [['api'], ['worker', 'ml'], ['operator']] as const) {
      const to = findPod(objects, component, pool);
      assert.ok(isAllowed(objects, podIn('monitoring'), { to, port: 9464 }), component);
      assert.ok(!isAllowed(objects, podIn('other'), { to, port: 9464 }), component);
    }
  });

  test('everyone can reach the API and the site, even from outside the cluster', () => {
    const objects = renderScenario('high-availability');
    assert.ok(isAllowed(objects, podIn('ingress'), { to: findPod(objects, 'api'), port: 5001 }));
    assert.ok(isAllowed(objects, podIn('ingress'), { to: findPod(objects, 'site'), port: 8080 }));
    assert.ok(!isAllowed(objects, podIn('ingress'), { to: findPod(objects, 'postgres'), port: 5432 }));
  });

  test('ipBlock exceptions are within their blocks, as Kubernetes requires', () => {
    const peers = scenarios.flatMap((scenario) =>
      renderScenario(scenario).flatMap(({ spec }) => (spec?.egress ?? []).flatMap(({ to = [] }) => to)),
    );
    const blocks = peers.flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock]));
    assert.ok(blocks.length > 0);
    for (const { cidr, except = [] } of blocks)
      for (const each of except) assert.ok(isInBlock(cidr, each) && cidr !== each, `${each} in ${cidr}`);
  });
});
