import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import type { QueueScalerSpec } from '../queueScaler.ts';
import { historyOf, now, observationOf, queueOf, specOf } from '../testing/specs.ts';
import { decide } from './decide.ts';
import { remember } from './remember.ts';
import { backlogOf, type Observation } from './observation.ts';

const names = ['faces', 'media', 'video'];

/** Jobs of a queue at the beginning, and for how many one pod is there. */
interface Load {
  readonly jobs: number;
  readonly jobsPerReplica: number;
}

/** Pods that pull from several queues, a number of jobs of each at once. */
interface Scene {
  readonly loads: readonly Load[];
  readonly concurrency: number;
  readonly firstPods: number;
  /** Polls that a job takes, in the order in which jobs are begun. */
  readonly lengths: readonly number[];
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  loads: fc.array(fc.record({ jobs: fc.nat({ max: 60 }), jobsPerReplica: fc.integer({ min: 1, max: 20 }) }), {
    minLength: 1,
    maxLength: names.length,
  }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  firstPods: fc.nat({ max: 3 }),
  lengths: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 20 }),
});

const specFor = ({ loads }: Scene): QueueScalerSpec =>
  specOf({
    maxReplicas: 100,
    cooldownSeconds: 30,
    queues: loads.map(({ jobsPerReplica }, index) => ({ name: names[index] ?? '', prefix: 'bull', jobsPerReplica })),
    behavior: { scaleUp: { maxPods: 100 }, scaleDown: { stabilizationWindowSeconds: 20, maxPods: 100 } },
  });

const milliseconds = 10_000;

/** What is observed at each poll, and how many pods there are after it, until nothing is left to do and no pod. */
const play = (scene: Scene): readonly { readonly seen: Observation; readonly replicas: number }[] => {
  const spec = specFor(scene);
  const waiting = scene.loads.map(({ jobs }) => jobs);
  /** Of each pod the jobs in hand: of which queue, and how many polls they still take. */
  let pods: { queue: number; left: number }[][] = Array.from({ length: scene.firstPods }, () => []);
  let begun = 0;
  let history = historyOf({ lastActiveAt: now });
  const polls: { seen: Observation; replicas: number }[] = [];
  for (let at = now; polls.length < 2_000; at += milliseconds) {
    for (const pod of pods)
      for (const [queue] of waiting.entries())
        while ((waiting[queue] ?? 0) > 0 && pod.filter((job) => job.queue === queue).length < scene.concurrency) {
          waiting[queue] = (waiting[queue] ?? 0) - 1;
          pod.push({ queue, left: scene.lengths[begun++ % scene.lengths.length] ?? 1 });
        }
    const busy = pods.filter((jobs) => jobs.length > 0);
    const seen = observationOf({
      currentReplicas: pods.length,
      busyPods: busy.length,
      queues: waiting.map((count, queue) => {
        const active = pods.flat().filter((job) => job.queue === queue).length;
        return queueOf({ name: names[queue] ?? '', waiting: count, active });
      }),
    });
    const decision = decide(spec, seen, history, at);
    const change = decision.replicas - pods.length;
    history = remember(history, { spec, observation: seen, decision, change }, at);
    // Idle ones go first, as their deletion cost asks for.
    pods = [...busy, ...Array.from({ length: Math.max(0, decision.replicas - busy.length) }, () => [])];
    polls.push({ seen, replicas: decision.replicas });
    if (decision.replicas === 0 && waiting.every((count) => count === 0)) return polls;
    pods = pods.map((jobs) => jobs.map((job) => ({ ...job, left: job.left - 1 })).filter(({ left }) => left > 0));
  }
  throw new Error('it never came to rest');
};

const holds = (check: (scene: Scene) => void): void => fc.assert(fc.property(scenes, check), { numRuns: 1_000 });

suite('pods that pull from several queues', () => {
  test('are never more than the queue that asks for most asked for at the beginning', () => {
    holds((scene) => {
      const asked = scene.loads.map(({ jobs, jobsPerReplica }) => Math.ceil(jobs / jobsPerReplica));
      const most = Math.max(scene.firstPods, ...asked);
      for (const { replicas } of play(scene)) assert.ok(replicas <= most, `${replicas} pods, of at most ${most}`);
    });
  });

  test('are not added while nothing waits', () => {
    holds((scene) => {
      for (const { seen, replicas } of play(scene)) {
        if (backlogOf(seen) > 0) continue;
        assert.ok(replicas <= seen.currentReplicas, `${seen.currentReplicas} became ${replicas}`);
      }
    });
  });

  test('ask for what the busiest queue alone asks for', () => {
    holds((scene) => {
      const queues = scene.loads.map(({ jobs }, index) => queueOf({ name: names[index] ?? '', waiting: jobs }));
      const recommendedOf = (seen: Observation): number =>
        decide(specFor(scene), seen, historyOf(), now).recommended ?? 0;
      const alone = queues.map((queue) => recommendedOf(observationOf({ queues: [queue] })));
      assert.equal(recommendedOf(observationOf({ queues })), Math.max(...alone));
    });
  });

  test('become two for 21 jobs at 20 per replica, whatever a pod takes at once', () => {
    for (const concurrency of [1, 2, 5]) {
      const loads = [{ jobs: 21, jobsPerReplica: 20 }];
      const polls = play({ loads, concurrency, firstPods: 0, lengths: [3, 1, 6, 2] });
      assert.equal(Math.max(...polls.map(({ replicas }) => replicas)), 2);
    }
  });
});
