import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, parseObjects, renderScenario, scenarios } from './helm.ts';
import type { KubernetesObject, PolicyRule } from './kubernetesObject.ts';

/** Returns the rules of a Role, with sorted names. */
const getRules = (objects: readonly KubernetesObject[], role: string): readonly PolicyRule[] => {
  const rules = objects.find(({ kind, metadata }) => kind === 'Role' && metadata.name === role)?.rules;
  assert.ok(rules, role);
  return rules.map((rule) =>
    Object.assign(rule, rule.resourceNames && { resourceNames: rule.resourceNames.toSorted() }),
  );
};

suite('permissions in the cluster', { skip: missingTool('helm') }, () => {
  test('of the operator equal its manifest, which is tested against its actual requests', () => {
    const manifest = readFileSync(join(chart, '../../operators/queue-scaler/manifests/operator.yaml'), 'utf8');
    assert.deepEqual(
      getRules(renderScenario('default'), 'hearth-queue-scaler'),
      getRules(parseObjects(manifest), 'hearth-queue-scaler'),
    );
  });

  test('of the operator follow the names of the Deployments, the Secret and the lease', () => {
    const rules = getRules(renderScenario('mirror'), 'photos-queue-scaler');
    const names = new Set(rules.flatMap(({ resourceNames = [] }) => resourceNames));
    assert.deepEqual([...names].toSorted(), [
      'photos-queue-scaler',
      'photos-redis',
      'photos-worker-media',
      'photos-worker-ml',
      'photos-worker-transcode',
      'photos-worker-video',
    ]);
    const existing = getRules(renderScenario('existing-redis'), 'hearth-queue-scaler');
    const secrets = existing.find(({ resources }) => resources.includes('secrets'));
    assert.deepEqual(secrets?.resourceNames, ['existing-redis']);
  });

  test('are bound only to the service accounts that need them', () => {
    for (const scenario of scenarios) {
      const objects = renderScenario(scenario);
      const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
      const bindings = objects.filter(({ kind }) => /^(Cluster)?RoleBinding$/.test(kind));
      assert.deepEqual(
        bindings.flatMap(({ subjects = [] }) => subjects.map(({ name }) => name)).toSorted(),
        accounts.toSorted(),
      );
      for (const { metadata, roleRef, subjects = [] } of bindings) {
        assert.ok(
          objects.some(({ kind, metadata: { name } }) => kind === roleRef?.kind && name === roleRef.name),
          metadata.name,
        );
        assert.deepEqual(
          subjects.map(({ namespace }) => namespace),
          ['photos'],
          metadata.name,
        );
      }
    }
  });

  test('extend beyond the namespace only for updating the QueueScaler CRD, if enabled', () => {
    for (const scenario of scenarios) {
      const cluster = renderScenario(scenario).filter(({ kind }) => kind === 'ClusterRole');
      assert.equal(cluster.length, scenario === 'strict-quotas' ? 1 : 0, scenario);
      for (const { rules = [] } of cluster)
        assert.deepEqual(rules, [
          {
            apiGroups: ['apiextensions.k8s.io'],
            resources: ['customresourcedefinitions'],
            resourceNames: ['queuescalers.scaling.hearth.photos'],
            verbs: ['patch'],
          },
        ]);
    }
  });
});
