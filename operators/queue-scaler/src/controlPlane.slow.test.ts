import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { List, OtherScaler } from './api/objects.ts';
import { getRejection, type AuditEvent } from './testing/controlPlane.ts';
import { missingControlPlane } from './testing/controlPlanePrograms.ts';
import { namespace, operatorManifests, otherScalers, scaledObjectDefinition, wrongSpecs } from './testing/manifests.ts';
import { scalersPath } from './testing/operatorOnCluster.ts';
import type { OperatorProcess } from './testing/operatorProcess.ts';
import { useScaledCluster } from './testing/scaledCluster.ts';
import { makeSpec } from './testing/specs.ts';
import { waitFor } from './testing/waitFor.ts';

/** Number of cycles that fill and drain the queue, and seconds at rest. Use 50 and 600 before a release. */
const cycles = Number(process.env['HEARTH_TEST_CYCLES'] ?? 4);
const restSeconds = Number(process.env['HEARTH_TEST_REST_SECONDS'] ?? 15);

/** Returns the timeout of a test that normally takes this many seconds. */
const timeoutFor = (seconds: number) => ({ timeout: (seconds + 120) * 1_000 });

suite('real control plane', { skip: missingControlPlane() || missingTool('redis-server') }, () => {
  const bench = useScaledCluster();
  const { condition, createScaler, done, getScaler, isEmpty, operators, patchSpec, replicas, start, writesBy } = bench;
  const startStandby = async (name: string): Promise<void> => {
    const operator = await start(name);
    // A standby is ready when it has read the lease.
    await waitFor(`standby ${name}`, async () => (await operator.get('/readyz')).status === 200);
  };

  test('rejects invalid specs with a message', async () => {
    const good = { scaleTargetRef: { name: 'worker' }, queues: [{ name: 'media' }], maxReplicas: 3 };
    for (const [wrong, message] of wrongSpecs)
      assert.match(await getRejection(createScaler('wrong', { ...good, ...wrong })), message, JSON.stringify(wrong));
  });

  test('applies the defaults that the decision tests assume', async () => {
    await createScaler('defaults', {
      scaleTargetRef: { name: 'worker' },
      queues: [{ name: 'media' }],
      maxReplicas: 10,
    });
    assert.deepEqual((await getScaler('defaults')).spec, makeSpec());
    await bench.cluster.request({ method: 'DELETE', path: `${scalersPath}/defaults` });
  });

  test('scales the target with the queue and removes no busy pod', timeoutFor(60 * cycles), async (t) => {
    await createScaler('media', {
      scaleTargetRef: { name: 'hearth-worker-media' },
      queues: [{ name: 'media', jobsPerReplica: 1 }],
      redis: { secretRef: { name: 'hearth-redis', key: 'url' } },
      maxReplicas: 6,
      pollIntervalSeconds: 1,
      cooldownSeconds: 1,
      lookaheadSeconds: 0,
      behavior: {
        scaleUp: { maxPods: 3, periodSeconds: 1 },
        scaleDown: { stabilizationWindowSeconds: 0, maxPods: 6, periodSeconds: 1 },
      },
    });
    const first = await start('hearth-queue-scaler');
    await waitFor('the first status', async () => (await condition('Ready')) === 'True Reconciled');
    const seed = Date.now();
    t.diagnostic(`seed ${seed}`);
    const seen = new Set<number>();
    for (let cycle = 0; cycle < cycles; cycle++) {
      const random = createRandom(seed, cycle);
      const jobs = Array.from({ length: 3 + random.below(8) }, () => ({
        ms: random.chance(0.4) ? 2_000 + random.below(4_000) : random.below(500),
      }));
      await bench.queue.addBulk(jobs.map((data) => ({ name: 'job', data })));
      const total = done() + jobs.length;
      await waitFor(`cycle ${cycle}: every job done`, async () => {
        seen.add(await replicas());
        return done() >= total;
      });
      await waitFor(`cycle ${cycle}: no pods`, isEmpty);
      assert.deepEqual(bench.workers?.removedWhileBusy(), [], 'pods that were removed while busy');
    }
    assert.ok(seen.size > 2, `it was scaled in steps: ${[...seen].join(', ')}`);
    assert.equal(first.isRunning(), true);
    t.diagnostic(`${done()} jobs, ${bench.workers?.removed()} pods removed`);
  });

  test('scales up from zero when a delayed job is due', async () => {
    const before = done();
    const scalings = filterScalings(await writesBy('hearth-queue-scaler'));
    const dueAt = Date.now() + 3_000;
    await bench.queue.add('job', { ms: 10 }, { delay: 3_000 });
    await waitFor('the delayed job', () => done() === before + 1);
    const [first] = filterScalings(await writesBy('hearth-queue-scaler')).slice(scalings.length);
    assert.ok(Date.parse(first?.requestReceivedTimestamp ?? '') >= dueAt, 'it was scaled before the job was due');
    await waitFor('no pods', isEmpty);
  });

  test('scales up from zero for a job whose worker died', async () => {
    const before = done();
    await bench.workers?.orphan({ ms: 10 });
    await waitFor('the orphaned job', () => done() === before + 1);
    await waitFor('no pods', isEmpty);
  });

  test('does not scale a target with another autoscaler', async () => {
    await bench.cluster.create('customresourcedefinitions', scaledObjectDefinition);
    const scaledObjects = `/apis/keda.sh/v1alpha1/namespaces/${namespace}/scaledobjects`;
    await waitFor('ScaledObjects', () =>
      bench.cluster.request<List<OtherScaler>>({ method: 'GET', path: scaledObjects }).then(
        () => true,
        () => false,
      ),
    );
    const operator = operators.get('hearth-queue-scaler');
    for (const [resource, manifest] of otherScalers) {
      await bench.cluster.create(resource, manifest);
      const before = filterScalings(await writesBy('hearth-queue-scaler')).length;
      await bench.queue.add('job', { ms: 10 });
      await waitFor(`conflict with ${manifest.kind}`, async () => (await condition('Ready')) === 'False Conflict');
      const first = await countReconciles(operator);
      await waitFor('three reconciles', async () => (await countReconciles(operator)) >= first + 3);
      assert.equal(await replicas(), 0);
      assert.equal(filterScalings(await writesBy('hearth-queue-scaler')).length, before);
      const group = manifest.apiVersion;
      await bench.cluster.request({
        method: 'DELETE',
        path: `/apis/${group}/namespaces/${namespace}/${resource}/other`,
      });
      await waitFor('the end of the conflict', async () => (await condition('Ready')) === 'True Reconciled');
      await waitFor('no pods', isEmpty);
    }
  });

  test('hands over between replicas after SIGTERM and kill -9, without concurrent writes', async () => {
    const findFirstWrite = async (name: string): Promise<number | undefined> => {
      const at = (await writesBy(name)).map(({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp));
      return at[0];
    };
    await startStandby('second');
    const terminated = Date.now();
    operators.get('hearth-queue-scaler')?.signal('SIGTERM');
    await bench.queue.add('job', { ms: 10 });
    await waitFor('a write by the second replica', async () => (await findFirstWrite('second')) !== undefined);
    const termSeconds = (((await findFirstWrite('second')) ?? 0) - terminated) / 1_000;
    assert.ok(termSeconds <= 3, `SIGTERM: ${termSeconds} s`);
    await waitFor('no pods', isEmpty);

    await startStandby('third');
    const killed = Date.now();
    operators.get('second')?.signal('SIGKILL');
    await bench.queue.add('job', { ms: 10 });
    await waitFor('a write by the third replica', async () => (await findFirstWrite('third')) !== undefined);
    const killSeconds = (((await findFirstWrite('third')) ?? 0) - killed) / 1_000;
    assert.ok(killSeconds <= 20, `kill -9: ${killSeconds} s`);
    await waitFor('no pods', isEmpty);
    const order = (await writesBy('hearth-queue-scaler', 'second', 'third')).map(({ user }) =>
      user.username.split(':').at(-1),
    );
    const leaders = order.filter((name, index) => name !== order[index - 1]);
    assert.deepEqual(leaders, ['hearth-queue-scaler', 'second', 'third']);
  });

  test('writes nothing while nothing changes', timeoutFor(restSeconds), async () => {
    await waitFor('an idle queue', async () => (await condition('Active')) === 'False NoJobsFound');
    const operator = operators.get('third');
    const first = await countReconciles(operator);
    await waitFor('two reconciles', async () => (await countReconciles(operator)) >= first + 2);
    const before = (await writesBy('third')).length;
    const begin = await countReconciles(operator);
    await delay(restSeconds * 1_000);
    await waitFor('reconciles at rest', async () => (await countReconciles(operator)) >= begin + 3);
    assert.deepEqual((await writesBy('third')).slice(before), []);
  });

  test('needs exactly the requests that the Role allows', async () => {
    await patchSpec({ suspend: true });
    await waitFor('suspension', async () => (await condition('Suspended')) === 'True Suspended');
    const requested = new Set<string>();
    for (const { verb, objectRef, responseStatus, user } of await bench.cluster.audit()) {
      if (objectRef === undefined || !user.username.includes('serviceaccount')) continue;
      assert.notEqual(responseStatus?.code, 403, JSON.stringify(objectRef));
      const { apiGroup = '', resource, subresource } = objectRef;
      requested.add(`${verb} ${apiGroup}/${[resource, subresource].filter(Boolean).join('/')}`);
    }
    const role = (await operatorManifests()).find(({ kind }) => kind === 'Role') as unknown as { rules: Rule[] };
    const allowed = role.rules.flatMap(({ apiGroups, resources, verbs }) =>
      verbs.flatMap((verb) =>
        apiGroups.flatMap((group) => resources.map((resource) => `${verb} ${group}/${resource}`)),
      ),
    );
    assert.deepEqual([...requested].toSorted(), allowed.toSorted());
  });

  test('reports a request that the Role does not allow in the status', async () => {
    const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles/hearth-queue-scaler`;
    const role = await bench.cluster.request<{ readonly rules: readonly Rule[] }>({ method: 'GET', path });
    const setRules = (rules: readonly Rule[]): Promise<unknown> =>
      bench.cluster.request({ method: 'PATCH', path, body: { rules }, contentType: 'application/merge-patch+json' });
    await setRules(role.rules.filter(({ resources }) => !resources.includes('deployments/scale')));
    await patchSpec({ suspend: false });
    const before = done();
    await bench.queue.add('job', { ms: 10 });
    await waitFor('the refusal', async () => (await condition('Ready')) === 'False ReconcileError');
    const { conditions = [] } = (await getScaler()).status ?? {};
    const { message } = conditions.find(({ type }) => type === 'Ready') ?? {};
    assert.match(message ?? '', /cannot patch resource "deployments\/scale" in API group "apps"/);
    await setRules(role.rules);
    await waitFor('the job', () => done() === before + 1);
    await waitFor('the end of the refusal', async () => (await condition('Ready')) === 'True Reconciled');
  });
});

const filterScalings = (events: readonly AuditEvent[]): readonly AuditEvent[] =>
  events.filter(({ objectRef }) => objectRef?.subresource === 'scale');

/** Returns the number of successful reconciles of an operator. */
const countReconciles = async (operator: OperatorProcess | undefined): Promise<number> => {
  const text = (await operator?.get('/metrics'))?.text ?? '';
  return Number(/reconcile_duration_seconds_count\{result="success"\} (\d+)/.exec(text)?.[1] ?? 0);
};

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
