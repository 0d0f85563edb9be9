import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario, scenarios } from './helm.ts';
import { containersOf, isServing, podTemplates } from './pods.ts';
import { parseQuantity } from '@hearth/testkit/run/quantity.ts';

/** Names of objects whose pods need an API server token. */
const withToken = /-(queue-scaler|secrets|definition)$/;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

suite('pods of every scenario', { skip: missingTool('helm') }, () => {
  test('at least one scenario exists', () => {
    assert.ok(scenarios.length > 0);
  });

  for (const scenario of scenarios) {
    test(`${scenario}: meet the restricted Pod Security Standard, with a read-only root file system`, () => {
      const pods = podTemplates(renderScenario(scenario));
      assert.ok(pods.length >= 6);
      for (const { what, spec } of pods) {
        assert.equal(spec.securityContext?.runAsNonRoot, true, what);
        assert.ok((spec.securityContext.runAsUser ?? 0) > 0, what);
        assert.equal(spec.securityContext.seccompProfile?.type, 'RuntimeDefault', what);
        assert.ok(!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, what);
        for (const volume of spec.volumes ?? []) {
          const kind = Object.keys(volume).find((key) => key !== 'name');
          assert.match(kind ?? '', /^(emptyDir|configMap|secret|persistentVolumeClaim)$/, `${what}: ${volume.name}`);
        }
        for (const { name, securityContext, ports = [] } of containersOf(spec)) {
          const where = `${what}: ${name}`;
          assert.equal(securityContext?.allowPrivilegeEscalation, false, where);
          assert.equal(securityContext.readOnlyRootFilesystem, true, where);
          assert.deepEqual(securityContext.capabilities, { drop: ['ALL'] }, where);
          assert.equal(securityContext.privileged, undefined, where);
          for (const { hostPort } of ports) assert.equal(hostPort, undefined, where);
        }
      }
    });

    test(`${scenario}: mount an API server token only if needed, and get no Service variables`, () => {
      for (const { what, object, spec } of podTemplates(renderScenario(scenario))) {
        assert.equal(spec.automountServiceAccountToken, withToken.test(object.metadata.name), what);
        assert.equal(spec.enableServiceLinks, false, `${what}: a Service named hearth would set HEARTH_PORT`);
      }
    });

    test(`${scenario}: request CPU, memory and ephemeral storage, and limit memory`, () => {
      for (const { what, spec } of podTemplates(renderScenario(scenario)))
        for (const { name, resources } of containersOf(spec)) {
          const where = `${what}: ${name}`;
          assert.ok(parseQuantity(resources?.requests?.['cpu']) > 0, where);
          assert.ok(
            parseQuantity(resources?.requests?.['memory']) <= parseQuantity(resources?.limits?.['memory']),
            where,
          );
          assert.ok(parseQuantity(resources?.requests?.['ephemeral-storage']) > 0, where);
          if (scenario === 'strict-quotas') assert.ok(parseQuantity(resources?.limits?.['cpu']) > 0, where);
        }
    });

    test(`${scenario}: limit their emptyDir volumes to fit their ephemeral storage limits`, () => {
      for (const { what, spec } of podTemplates(renderScenario(scenario))) {
        const sizes = (spec.volumes ?? []).flatMap(({ name, emptyDir }) => {
          if (emptyDir === undefined) return [];
          assert.ok(parseQuantity(emptyDir.sizeLimit) > 0, `${what}: ${name}`);
          return emptyDir.medium === 'Memory' ? [] : [parseQuantity(emptyDir.sizeLimit)];
        });
        const limits = spec.containers.map(({ resources }) => resources?.limits?.['ephemeral-storage']);
        // Pods above this limit are evicted. Logs take up to 50 MiB (containerLogMaxSize and containerLogMaxFiles of
        // the kubelet).
        if (limits.every((limit) => limit !== undefined))
          assert.ok(sum(limits.map(parseQuantity)) >= sum(sizes) + 50 * 2 ** 20, what);
      }
    });

    test(`${scenario}: have startup, liveness and readiness probes, except hooks`, () => {
      for (const { what, spec } of podTemplates(renderScenario(scenario)).filter(isServing))
        for (const { name, ports = [], startupProbe, livenessProbe, readinessProbe } of spec.containers) {
          const probes = [startupProbe, livenessProbe, readinessProbe];
          for (const probe of probes) {
            assert.ok(probe, `${what}: ${name}`);
            const port = probe.httpGet?.port ?? probe.tcpSocket?.port;
            if (port !== undefined)
              assert.ok(
                ports.some((each) => each.name === port),
                `${what}: ${port}`,
              );
          }
        }
    });

    test(`${scenario}: show the cause of a failure in the pod status`, () => {
      for (const { what, spec } of podTemplates(renderScenario(scenario)))
        for (const { name, terminationMessagePolicy } of containersOf(spec))
          assert.equal(terminationMessagePolicy, 'FallbackToLogsOnError', `${what}: ${name}`);
    });

    test(`${scenario}: spread replicas over nodes`, () => {
      for (const { what, object, spec } of podTemplates(renderScenario(scenario)).filter(isServing)) {
        const isSingle = object.kind === 'StatefulSet';
        const constraints = spec.topologySpreadConstraints?.map(({ whenUnsatisfiable }) => whenUnsatisfiable);
        assert.deepEqual(constraints, isSingle ? undefined : ['ScheduleAnyway'], what);
      }
    });

    test(`${scenario}: run images with a fixed version, and none from Bitnami`, () => {
      for (const { what, spec } of podTemplates(renderScenario(scenario)))
        for (const { image, imagePullPolicy } of containersOf(spec)) {
          assert.match(image, /^[a-z0-9.-]+(:\d+)?\/[a-z0-9/-]+:[\w.-]+(@sha256:[0-9a-f]{64})?$/, what);
          assert.doesNotMatch(image, /bitnami|:latest/i, what);
          assert.equal(imagePullPolicy, 'IfNotPresent', what);
        }
    });
  }
});
