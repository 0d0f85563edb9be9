import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario, scenarios } from './helm.ts';
import type { PodSpec } from './kubernetesObject.ts';
import { isServing, podTemplates } from './pods.ts';
import { parseQuantity } from '@hearth/testkit/run/quantity.ts';

/** Returns the resource request of a pod: the sum over its containers, or the largest init container if it needs more. */
const getPodRequest = ({ initContainers = [], containers }: PodSpec, resource: 'cpu' | 'memory'): number => {
  const getRequest = ({ resources }: (typeof containers)[number]): number =>
    parseQuantity(resources?.requests?.[resource]);
  return Math.max(
    ...initContainers.map(getRequest),
    containers.map(getRequest).reduce((sum, each) => sum + each, 0),
  );
};

/**
 * Returns the resource request of all pods of a scenario except hooks and tests, with each pool at its minimum or maximum
 * number of workers.
 */
const getTotalRequest = (
  scenario: string,
  resource: 'cpu' | 'memory',
  workers: 'minReplicas' | 'maxReplicas',
): number => {
  const objects = renderScenario(scenario);
  return podTemplates(objects)
    .filter(isServing)
    .map(({ object, spec }) => {
      const scaler = objects.find(({ spec }) => spec?.scaleTargetRef?.name === object.metadata.name)?.spec;
      return getPodRequest(spec, resource) * (object.spec?.replicas ?? scaler![workers]!);
    })
    .reduce((sum, each) => sum + each, 0);
};

/**
 * Returns the memory of a worker without its decoders, in bytes: 139 MB for itself. Queues other than ml add 56 MB for
 * exiftool (docs/docs/dev-guide/benchmarks.md) and 450 MB for the place map builder, whose heap may reach 400 MB. ml
 * adds the limit of the model process.
 */
const overheadBytes = (queues: readonly string[]): number =>
  139e6 + (queues.some((queue) => queue !== 'ml') ? 506e6 : 0) + (queues.includes('ml') ? 550e6 : 0);

/** Returns the size of a pool's scratch volume, in bytes. */
const getScratchBytes = (scenario: string, pool: string): number => {
  const { spec } = podTemplates(renderScenario(scenario)).find(
    ({ what }) => what === `Deployment hearth-worker-${pool}`,
  )!;
  return parseQuantity(spec.volumes!.find(({ name }) => name === 'scratch')!.emptyDir!.sizeLimit);
};

suite('resource requests of the chart', { skip: missingTool('helm') }, () => {
  test('fit a node with two cores, with every pool at its maximum and a quarter of a core for the cluster itself', () => {
    assert.ok(getTotalRequest('default', 'cpu', 'maxReplicas') <= 1.75);
  });

  test('are at most 1 GiB of memory for an idle library with all bundled servers', () => {
    assert.ok(getTotalRequest('default', 'memory', 'minReplicas') <= 2 ** 30);
  });

  test('fit a node with 4 GB, with the preset small and every pool at its maximum', () => {
    // 4 GB minus the usage of k3s and the system, see docs/docs/user-guide/deployment.md.
    assert.ok(getTotalRequest('small', 'memory', 'maxReplicas') <= 2 * 2 ** 30);
  });

  test('let the operator start on a node without free CPU', () => {
    const [operator] = podTemplates(renderScenario('default')).find(
      ({ what }) => what === 'Deployment hearth-queue-scaler',
    )!.spec.containers;
    const { startupProbe, resources } = operator!;
    assert.ok(parseQuantity(resources!.requests!['cpu']) >= 0.05);
    assert.ok(startupProbe!.periodSeconds! * startupProbe!.failureThreshold! >= 300);
  });

  test('give workers scratch space for one upload of maximum size per item processed at once, and one more', () => {
    assert.equal(getScratchBytes('default', 'media'), 3 * 50 * 2 ** 30);
    assert.equal(getScratchBytes('default', 'transcode'), 2 * 50 * 2 ** 30);
    assert.equal(getScratchBytes('ingress', 'media'), 3 * 10_000_000_000);
    assert.equal(getScratchBytes('strict-quotas', 'media'), 20 * 2 ** 30);
  });

  test('give workers the memory that all their decoders may use together', () => {
    for (const scenario of scenarios)
      for (const { what, spec } of podTemplates(renderScenario(scenario))) {
        const [container] = spec.containers;
        if (container?.name !== 'worker') continue;
        const env = new Map(container.env!.map(({ name, value }) => [name, value]));
        // Workers of the queue media may process one more item than their concurrency, with its own decoder.
        const queues = env.get('HEARTH_POOLS')!.split(',');
        const hasSpareSlot = queues.includes('media');
        const decoders = Number(env.get('HEARTH_WORKER_CONCURRENCY')) + (hasSpareSlot ? 1 : 0);
        const needed = decoders * Number(env.get('HEARTH_DECODE_MEMORY_BYTES')) + overheadBytes(queues);
        assert.ok(parseQuantity(container.resources!.limits!['memory']) >= needed, `${scenario}: ${what}`);
      }
  });
});
