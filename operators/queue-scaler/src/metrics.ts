import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Decision } from './decide/decide.ts';
import type { Observation } from './decide/observation.ts';

/** What is measured. Labels are names of QueueScalers and queues, which are few. */
export interface Metrics {
  /** What the leader saw and did in a turn. Standbys see nothing, so that each queue is exported once. */
  record(scaler: string, observation: Observation, decision: Decision, change: number): void;
  forget(scaler: string): void;
  setLeading(isLeading: boolean): void;
  recordTurn(seconds: number, outcome: 'done' | 'failed'): void;
  /** `status` is 0 where there was no answer. */
  recordRequest(method: string, status: number): void;
  /** Everything in the text format of Prometheus. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const options = <Label extends string>(name: string, help: string, ...labelNames: readonly Label[]) => ({
    name: `hearth_queue_scaler_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const jobs = new Gauge(
    options('queue_jobs', 'Jobs of a queue, due ones being delayed ones too', 'scaler', 'queue', 'state'),
  );
  const oldest = new Gauge(options('queue_oldest_wait_seconds', 'Age of the job that is next', 'scaler', 'queue'));
  const paused = new Gauge(options('queue_paused', 'Whether a queue is paused', 'scaler', 'queue'));
  const found = new Gauge(options('queues_found', 'Whether every queue could be read', 'scaler'));
  const replicas = new Gauge(
    options('replicas', 'Pods asked for before, asked for now, and at work', 'scaler', 'kind'),
  );
  const scalings = new Counter(options('scalings_total', 'Changes of the number of pods', 'scaler', 'direction'));
  const leading = new Gauge(options('leading', 'Whether this process leads'));
  const requests = new Counter(options('api_requests_total', 'Answers of the API server', 'method', 'status'));
  const turns = new Histogram({
    ...options('turn_seconds', 'Time to observe, decide and apply', 'outcome'),
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  leading.set(0);

  /** Only what is true now is exposed: a queue that is unknown or no longer named has no depth. */
  const seen = new Map<string, { readonly observation: Observation; readonly decision: Decision }>();
  const refresh = (): void => {
    for (const gauge of [jobs, oldest, paused, found, replicas]) gauge.reset();
    for (const [scaler, { observation, decision }] of seen) {
      found.set({ scaler }, observation.unknownQueues.length === 0 ? 1 : 0);
      for (const { name: queue, version: _, isPaused, oldestWaitSeconds, ...counts } of observation.queues) {
        for (const [state, count] of Object.entries(counts)) jobs.set({ scaler, queue, state }, count);
        oldest.set({ scaler, queue }, oldestWaitSeconds ?? 0);
        paused.set({ scaler, queue }, isPaused ? 1 : 0);
      }
      replicas.set({ scaler, kind: 'current' }, observation.currentReplicas);
      replicas.set({ scaler, kind: 'desired' }, decision.replicas);
      replicas.set({ scaler, kind: 'busy' }, observation.busyPods);
    }
  };
  return {
    record: (scaler, observation, decision, change) => {
      seen.set(scaler, { observation, decision });
      if (change !== 0) scalings.inc({ scaler, direction: change > 0 ? 'up' : 'down' });
    },
    forget: (scaler) => void seen.delete(scaler),
    setLeading: (isLeading) => leading.set(isLeading ? 1 : 0),
    recordTurn: (seconds, outcome) => turns.observe({ outcome }, seconds),
    recordRequest: (method, status) => requests.inc({ method, status }),
    expose: async () => {
      refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};
