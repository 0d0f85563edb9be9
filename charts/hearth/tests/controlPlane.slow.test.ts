import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startControlPlane, type ControlPlane } from '@hearth/queue-scaler/testing/controlPlane.ts';
import { missingControlPlane } from '@hearth/queue-scaler/testing/controlPlanePrograms.ts';
import { waitFor } from '@hearth/queue-scaler/testing/waitFor.ts';
import { customKinds } from '@hearth/scripts/chart/customKinds.ts';
import { chart, parseObjects, renderText, runHelmOn, scenarioFile, scenarios } from './helm.ts';

/** The pod fields that are read. */
interface PodList {
  readonly items: readonly { readonly metadata: { readonly labels: Readonly<Record<string, string>> } }[];
}

/** Defines a custom kind that accepts any object. */
const defineKind = async (cluster: ControlPlane, kind: string, apiVersion: string): Promise<void> => {
  const [group = '', version = ''] = apiVersion.split('/');
  const plural = `${kind.toLowerCase()}s`;
  await cluster.create('customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // Required for API groups of the Kubernetes project.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
};

suite('real control plane', { skip: missingControlPlane() || missingTool('helm') }, () => {
  let cluster: ControlPlane;
  const helm = (...args: readonly string[]): void => {
    const { isOk, stdout, stderr } = runHelmOn(cluster.kubeconfig, args);
    assert.ok(isOk, `${args.join(' ')}: ${stdout}${stderr}`);
  };
  test.before(async () => {
    cluster = await startControlPlane();
    for (const { kind, apiVersion } of customKinds) await defineKind(cluster, kind, apiVersion);
    // Like a cluster with GPUs: pods with an unknown runtime class are rejected.
    await cluster.create('runtimeclasses', {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'nvidia' },
      handler: 'nvidia',
    });
  });
  test.after(() => cluster.stop());

  for (const scenario of scenarios)
    test(
      `installs ${scenario} in a namespace that enforces the restricted standard, and upgrades it`,
      { timeout: 120_000 },
      async () => {
        const namespace = `chart-${scenario}`;
        await cluster.create('namespaces', {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
        });
        const where = ['hearth', chart, '--namespace', namespace, '--values', scenarioFile(scenario)];
        helm('install', ...where);
        // Pods that violate the standard are never created.
        const expected = parseObjects(renderText(scenarioFile(scenario)))
          .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
          .map(({ spec }) => spec!.selector!.matchLabels!)
          .map((labels) => `${labels['app.kubernetes.io/component']} ${labels['hearth.photos/pool'] ?? ''}`);
        await waitFor(`a pod of each workload of ${scenario}`, async () => {
          const { items } = await cluster.request<PodList>({
            method: 'GET',
            path: `/api/v1/namespaces/${namespace}/pods`,
          });
          const found = new Set(
            items.map(
              ({ metadata: { labels } }) =>
                `${labels['app.kubernetes.io/component']} ${labels['hearth.photos/pool'] ?? ''}`,
            ),
          );
          return expected.every((each) => found.has(each));
        });
        helm('upgrade', ...where);
        helm('uninstall', 'hearth', '--namespace', namespace);
      },
    );

  test('rejects an unusable QueueScaler by the rules of its CRD', async () => {
    const { isOk, stderr } = runHelmOn(cluster.kubeconfig, [
      'install',
      'hearth',
      chart,
      '--set-json',
      'worker.pools.media.scaling.fallback={"behavior":"Static"}',
    ]);
    assert.ok(!isOk);
    assert.match(stderr, /fallback\.replicas is needed/);
  });
});
