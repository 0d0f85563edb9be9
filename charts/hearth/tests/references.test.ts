import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario, scenarios } from './helm.ts';
import type { KubernetesObject } from './kubernetesObject.ts';
import { containersOf, isServing, podTemplates, selects } from './pods.ts';
import { existingObjects, madeSecrets } from './existingObjects.ts';

/** A reference to a key of a Secret, with its origin. */
interface SecretReference {
  readonly what: string;
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

/** Returns the objects of a kind. */
const filterKind = (objects: readonly KubernetesObject[], kind: string): readonly KubernetesObject[] =>
  objects.filter((object) => object.kind === kind);

const namesOf = (objects: readonly KubernetesObject[], kind: string): ReadonlySet<string> =>
  new Set(filterKind(objects, kind).map(({ metadata }) => metadata.name));

suite('objects of every scenario reference only existing objects', { skip: missingTool('helm') }, () => {
  for (const scenario of scenarios) {
    test(`${scenario}: Secrets and their keys`, () => {
      const objects = renderScenario(scenario);
      const secrets = new Map([...madeSecrets(objects), ...existingObjects(scenario).secrets]);
      const references: SecretReference[] = [];
      for (const { what, spec } of podTemplates(objects)) {
        for (const { env = [] } of containersOf(spec))
          for (const { valueFrom } of env)
            if (valueFrom?.secretKeyRef) references.push({ what, ...valueFrom.secretKeyRef });
        for (const { secret } of spec.volumes ?? [])
          for (const { key } of secret?.items ?? []) references.push({ what, name: secret!.secretName, key });
      }
      for (const { metadata, spec } of filterKind(objects, 'QueueScaler'))
        references.push({ what: metadata.name, ...spec!.redis!.secretRef });
      assert.ok(references.length > 0);
      for (const { what, name, key, optional } of references) {
        const keys = secrets.get(name);
        assert.ok(keys, `${what} refers to the Secret ${name}`);
        if (!optional) assert.ok(keys.includes(key), `${what} refers to ${key} of ${name}`);
      }
    });

    test(`${scenario}: ConfigMaps, claims, volumes and service accounts`, () => {
      const objects = renderScenario(scenario);
      const configMaps = namesOf(objects, 'ConfigMap');
      const accounts = namesOf(objects, 'ServiceAccount');
      const claims = new Set([...namesOf(objects, 'PersistentVolumeClaim'), ...existingObjects(scenario).claims]);
      for (const { what, object, spec } of podTemplates(objects)) {
        const volumes = spec.volumes ?? [];
        for (const { configMap, persistentVolumeClaim } of volumes) {
          if (configMap) assert.ok(configMaps.has(configMap.name), `${what}: ${configMap.name}`);
          if (persistentVolumeClaim)
            assert.ok(claims.has(persistentVolumeClaim.claimName), `${what}: ${persistentVolumeClaim.claimName}`);
        }
        if (spec.automountServiceAccountToken) assert.ok(accounts.has(spec.serviceAccountName ?? ''), what);
        const templates = object.spec?.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
        const names = [...volumes.map(({ name }) => name), ...templates];
        assert.deepEqual(names, [...new Set(names)], what);
        const mounted = containersOf(spec).flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name));
        assert.deepEqual([...new Set(mounted)].toSorted(), names.toSorted(), `${what}: volumes and their mounts`);
      }
    });

    test(`${scenario}: pods and ports behind Services, policies, budgets and monitors`, () => {
      const objects = renderScenario(scenario);
      const pods = podTemplates(objects).filter(isServing);
      const portsOf = (selector: Readonly<Record<string, string>>): readonly string[] =>
        pods
          .filter(({ labels }) => selects(selector, labels))
          .flatMap(({ spec }) => spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)));
      for (const { metadata, spec } of filterKind(objects, 'Service'))
        for (const { targetPort } of spec!.ports!)
          assert.ok(portsOf(spec!.selector!).includes(targetPort), `Service ${metadata.name}: ${targetPort}`);
      for (const { metadata, spec } of filterKind(objects, 'NetworkPolicy')) {
        const ports = portsOf(spec!.podSelector!.matchLabels!);
        assert.ok(ports.length > 0, `NetworkPolicy ${metadata.name} selects pods`);
        for (const rule of spec!.ingress ?? []) {
          for (const { port } of rule.ports ?? []) assert.ok(ports.includes(String(port)), `${metadata.name}: ${port}`);
          for (const { podSelector } of rule.from ?? [])
            if (podSelector) assert.ok(portsOf(podSelector.matchLabels!).length > 0, metadata.name);
        }
        for (const { podSelector } of (spec!.egress ?? []).flatMap(({ to = [] }) => to))
          if (podSelector) assert.ok(portsOf(podSelector.matchLabels!).length > 0, metadata.name);
      }
      for (const { metadata, spec } of filterKind(objects, 'PodDisruptionBudget')) {
        assert.ok(portsOf(spec!.selector!.matchLabels!).length > 0, metadata.name);
      }
      for (const { spec } of filterKind(objects, 'PodMonitor'))
        for (const { port } of spec!.podMetricsEndpoints!)
          assert.ok(portsOf(spec!.selector!.matchLabels!).includes(port));
      for (const { spec } of filterKind(objects, 'ServiceMonitor')) {
        const services = filterKind(objects, 'Service').filter(({ metadata }) =>
          selects(spec!.selector!.matchLabels!, metadata.labels ?? {}),
        );
        assert.equal(services.length, 2);
        for (const { port } of spec!.endpoints!)
          for (const service of services) assert.ok(service.spec!.ports!.some(({ name }) => name === port));
      }
    });

    test(`${scenario}: each workload selects its own pods and no others`, () => {
      const pods = podTemplates(renderScenario(scenario));
      for (const { what, object, labels } of pods.filter(({ object }) => /Deployment|StatefulSet/.test(object.kind))) {
        const selector = object.spec!.selector!.matchLabels!;
        assert.ok(selects(selector, labels), what);
        assert.deepEqual(
          pods.filter((pod) => selects(selector, pod.labels)).map((pod) => pod.what),
          [what],
        );
      }
    });

    test(`${scenario}: only the intended clients can connect to each server`, () => {
      const objects = renderScenario(scenario);
      const users = { postgres: ['api', 'worker'], redis: ['api', 'operator', 'worker'], minio: ['api', 'worker'] };
      for (const { metadata, spec } of filterKind(objects, 'NetworkPolicy')) {
        const component = metadata.labels!['app.kubernetes.io/component']!;
        if (!(component in users)) continue;
        const from = spec!.ingress!.flatMap((rule) => rule.from ?? []);
        assert.deepEqual(
          from.map(({ podSelector }) => podSelector?.matchLabels?.['app.kubernetes.io/component'] ?? '').toSorted(),
          users[component as keyof typeof users],
        );
        assert.ok(
          spec!.ingress!.every((rule) => rule.from !== undefined),
          'a rule without from allows every source',
        );
      }
      const hasSite = filterKind(objects, 'Deployment').some(({ metadata }) => metadata.name.endsWith('-site'));
      const expectedCount = filterKind(objects, 'StatefulSet').length + 3 + (hasSite ? 1 : 0);
      const policies = filterKind(objects, 'NetworkPolicy').filter(({ spec }) =>
        spec!.policyTypes!.includes('Ingress'),
      );
      assert.equal(policies.length, scenario === 'existing-secrets' ? 0 : expectedCount);
    });
  }
});
