import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fc } from '@hearth/testkit/run/fastCheck.ts';
import type { QueueScalerSpec } from '../api/queueScaler.ts';
import { makeHistory, now, makeObservation, makeQueue, makeSpec } from '../testing/specs.ts';
import { decide } from './decide.ts';
import { updateHistory } from './updateHistory.ts';
import { countBacklog, type Observation } from './observation.ts';

const names = ['faces', 'media', 'video'];

/** The initial jobs of a queue. */
interface Load {
  readonly jobs: number;
  readonly jobsPerReplica: number;
}

/** A simulation of pods that pull from several queues. */
interface Simulation {
  readonly loads: readonly Load[];
  /** Jobs of one queue that a pod processes at once. */
  readonly concurrency: number;
  readonly firstPods: number;
  /** Durations of the jobs in polls, in start order. */
  readonly lengths: readonly number[];
}

const simulations: fc.Arbitrary<Simulation> = fc.record({
  loads: fc.array(fc.record({ jobs: fc.nat({ max: 60 }), jobsPerReplica: fc.integer({ min: 1, max: 20 }) }), {
    minLength: 1,
    maxLength: names.length,
  }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  firstPods: fc.nat({ max: 3 }),
  lengths: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 20 }),
});

const makeSimulationSpec = ({ loads }: Simulation): QueueScalerSpec =>
  makeSpec({
    maxReplicas: 100,
    cooldownSeconds: 30,
    queues: loads.map(({ jobsPerReplica }, index) => ({ name: names[index] ?? '', prefix: 'bull', jobsPerReplica })),
    behavior: { scaleUp: { maxPods: 100 }, scaleDown: { stabilizationWindowSeconds: 20, maxPods: 100 } },
  });

/** Simulated poll interval, in ms. */
const pollMs = 10_000;

/** Simulates until no job and no pod is left. Returns the observation and the decision of each poll. */
const simulate = (simulation: Simulation): readonly { readonly seen: Observation; readonly replicas: number }[] => {
  const spec = makeSimulationSpec(simulation);
  const waiting = simulation.loads.map(({ jobs }) => jobs);
  /** Active jobs of each pod, with the index of their queue and the remaining polls. */
  let pods: { queue: number; left: number }[][] = Array.from({ length: simulation.firstPods }, () => []);
  let startedJobs = 0;
  let history = makeHistory({ lastActiveAt: now });
  const polls: { seen: Observation; replicas: number }[] = [];
  for (let at = now; polls.length < 2_000; at += pollMs) {
    for (const pod of pods)
      for (const [queue] of waiting.entries())
        while ((waiting[queue] ?? 0) > 0 && pod.filter((job) => job.queue === queue).length < simulation.concurrency) {
          waiting[queue] = (waiting[queue] ?? 0) - 1;
          pod.push({ queue, left: simulation.lengths[startedJobs++ % simulation.lengths.length] ?? 1 });
        }
    const busy = pods.filter((jobs) => jobs.length > 0);
    const seen = makeObservation({
      currentReplicas: pods.length,
      busyPods: busy.length,
      queues: waiting.map((count, queue) => {
        const active = pods.flat().filter((job) => job.queue === queue).length;
        return makeQueue({ name: names[queue] ?? '', waiting: count, active });
      }),
    });
    const decision = decide(spec, seen, history, at);
    const change = decision.replicas - pods.length;
    history = updateHistory(history, { spec, observation: seen, decision, change }, at);
    // Idle pods are removed first, because of their deletion cost.
    pods = [...busy, ...Array.from({ length: Math.max(0, decision.replicas - busy.length) }, () => [])];
    polls.push({ seen, replicas: decision.replicas });
    if (decision.replicas === 0 && waiting.every((count) => count === 0)) return polls;
    pods = pods.map((jobs) => jobs.map((job) => ({ ...job, left: job.left - 1 })).filter(({ left }) => left > 0));
  }
  throw new Error('the simulation did not end within 2,000 polls');
};

const checkProperty = (check: (simulation: Simulation) => void): void =>
  fc.assert(fc.property(simulations, check), { numRuns: 1_000 });

suite('pods that pull from several queues', () => {
  test('never exceed the highest initial recommendation', () => {
    checkProperty((simulation) => {
      const recommendations = simulation.loads.map(({ jobs, jobsPerReplica }) => Math.ceil(jobs / jobsPerReplica));
      const highest = Math.max(simulation.firstPods, ...recommendations);
      for (const { replicas } of simulate(simulation))
        assert.ok(replicas <= highest, `${replicas} pods, of at most ${highest}`);
    });
  });

  test('are not added while no job is waiting', () => {
    checkProperty((simulation) => {
      for (const { seen, replicas } of simulate(simulation)) {
        if (countBacklog(seen) > 0) continue;
        assert.ok(replicas <= seen.currentReplicas, `${seen.currentReplicas} became ${replicas}`);
      }
    });
  });

  test('follow the queue with the highest recommendation', () => {
    checkProperty((simulation) => {
      const queues = simulation.loads.map(({ jobs }, index) => makeQueue({ name: names[index] ?? '', waiting: jobs }));
      const recommend = (seen: Observation): number =>
        decide(makeSimulationSpec(simulation), seen, makeHistory(), now).recommended ?? 0;
      const single = queues.map((queue) => recommend(makeObservation({ queues: [queue] })));
      assert.equal(recommend(makeObservation({ queues })), Math.max(...single));
    });
  });

  test('become two for 21 jobs at 20 per replica, with any concurrency', () => {
    for (const concurrency of [1, 2, 5]) {
      const loads = [{ jobs: 21, jobsPerReplica: 20 }];
      const polls = simulate({ loads, concurrency, firstPods: 0, lengths: [3, 1, 6, 2] });
      assert.equal(Math.max(...polls.map(({ replicas }) => replicas)), 2);
    }
  });
});
