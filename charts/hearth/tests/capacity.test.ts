import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario, scenarios } from './helm.ts';
import type { PodSpec } from './kubernetesObject.ts';
import { isServing, podTemplates } from './pods.ts';
import { quantity } from '@hearth/testkit/run/quantity.ts';

/** What a pod asks for: as much as its containers together, or as the one that runs before them where that is more. */
const requestOf = ({ initContainers = [], containers }: PodSpec, resource: 'cpu' | 'memory'): number => {
  const of = ({ resources }: (typeof containers)[number]): number => quantity(resources?.requests?.[resource]);
  return Math.max(
    ...initContainers.map(of),
    containers.map(of).reduce((sum, each) => sum + each, 0),
  );
};

/** What all pods of a scenario ask for, with each pool at its smallest or its largest number of workers. */
const requestOfAll = (scenario: string, resource: 'cpu' | 'memory', workers: 'minReplicas' | 'maxReplicas'): number => {
  const objects = renderScenario(scenario);
  return podTemplates(objects)
    .filter(isServing)
    .map(({ object, spec }) => {
      const scaler = objects.find(({ spec }) => spec?.scaleTargetRef?.name === object.metadata.name)?.spec;
      return requestOf(spec, resource) * (object.spec?.replicas ?? scaler![workers]!);
    })
    .reduce((sum, each) => sum + each, 0);
};

/**
 * Bytes of a worker besides its decoders: 139 MB of its own; of queues other than ml 56 MB of exiftool (docs/docs/dev-guide/benchmarks.md) and 450 MB
 * of the builder of the map of places, which may use 400 MB of JavaScript; of ml what the process of the models may use.
 */
const bytesBeside = (queues: readonly string[]): number =>
  139e6 + (queues.some((queue) => queue !== 'ml') ? 506e6 : 0) + (queues.includes('ml') ? 550e6 : 0);

/** Bytes of the scratch volume of a pool. */
const scratchOf = (scenario: string, pool: string): number => {
  const { spec } = podTemplates(renderScenario(scenario)).find(
    ({ what }) => what === `Deployment hearth-worker-${pool}`,
  )!;
  return quantity(spec.volumes!.find(({ name }) => name === 'scratch')!.emptyDir!.sizeLimit);
};

suite('what the chart asks of a cluster', { skip: missingTool('helm') }, () => {
  test('fits a node of two cores, with every pool at its largest and a quarter of a core for the cluster itself', () => {
    assert.ok(requestOfAll('default', 'cpu', 'maxReplicas') <= 1.75);
  });

  test('is a GiB of memory for an idle library with everything bundled', () => {
    assert.ok(requestOfAll('default', 'memory', 'minReplicas') <= 2 ** 30);
  });

  test('fits the memory of a node with 4 GB, with the preset small and every pool at its largest', () => {
    // 4 GB less what k3s and the system take, see docs/docs/user-guide/deployment.md.
    assert.ok(requestOfAll('small', 'memory', 'maxReplicas') <= 2 * 2 ** 30);
  });

  test('lets the operator start on a node without free CPU', () => {
    const [operator] = podTemplates(renderScenario('default')).find(
      ({ what }) => what === 'Deployment hearth-queue-scaler',
    )!.spec.containers;
    const { startupProbe, resources } = operator!;
    assert.ok(quantity(resources!.requests!['cpu']) >= 0.05);
    assert.ok(startupProbe!.periodSeconds! * startupProbe!.failureThreshold! >= 300);
  });

  test('gives workers scratch space for one largest upload in each slot, and one more', () => {
    assert.equal(scratchOf('default', 'media'), 3 * 50 * 2 ** 30);
    assert.equal(scratchOf('default', 'transcode'), 2 * 50 * 2 ** 30);
    assert.equal(scratchOf('ingress', 'media'), 3 * 10_000_000_000);
    assert.equal(scratchOf('strict-quotas', 'media'), 20 * 2 ** 30);
  });

  test('leaves workers the memory that all their decoders may take together', () => {
    for (const scenario of scenarios)
      for (const { what, spec } of podTemplates(renderScenario(scenario))) {
        const [container] = spec.containers;
        if (container?.name !== 'worker') continue;
        const env = new Map(container.env!.map(({ name, value }) => [name, value]));
        // The pool media has a spare slot with a decoder of its own.
        const queues = env.get('HEARTH_POOLS')!.split(',');
        const isSpare = queues.includes('media');
        const decoders = Number(env.get('HEARTH_WORKER_CONCURRENCY')) + (isSpare ? 1 : 0);
        const needed = decoders * Number(env.get('HEARTH_DECODE_MEMORY_BYTES')) + bytesBeside(queues);
        assert.ok(quantity(container.resources!.limits!['memory']) >= needed, `${scenario}: ${what}`);
      }
  });
});
