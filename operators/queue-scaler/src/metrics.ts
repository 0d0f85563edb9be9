import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Decision } from './decide/decide.ts';
import type { Observation } from './decide/observation.ts';

/** Prometheus metrics. The labels have few values: names of QueueScalers and queues. */
export interface Metrics {
  /** Records the result of a reconcile. Only the leader reconciles, so that each queue is exported once. */
  record(scaler: string, observation: Observation, decision: Decision, change: number): void;
  recordMissingTarget(scaler: string): void;
  forget(scaler: string): void;
  setLeading(isLeading: boolean): void;
  recordReconcile(seconds: number, result: 'success' | 'error'): void;
  /** `status` is 0 when there was no response. */
  recordRequest(method: string, status: number): void;
  /** Registry for listing the metrics. Only `expose` updates its gauges. */
  readonly registry: Registry;
  /** Returns all metrics in the Prometheus text format. */
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
    options(
      'queue_jobs',
      'Jobs of a queue by state; dueDelayed jobs are also counted as delayed',
      'scaler',
      'queue',
      'state',
    ),
  );
  const oldest = new Gauge(options('queue_oldest_wait_seconds', 'Age of the next job of a queue', 'scaler', 'queue'));
  const paused = new Gauge(options('queue_paused', '1 if a queue is paused, otherwise 0', 'scaler', 'queue'));
  const found = new Gauge(
    options('queues_found', '1 if all queues of a QueueScaler could be read, otherwise 0', 'scaler'),
  );
  const targetFound = new Gauge(
    options('target_found', '1 if the scale target of a QueueScaler exists, otherwise 0', 'scaler'),
  );
  const replicas = new Gauge(
    options('replicas', 'Replicas of the target: current, recommended, desired and busy', 'scaler', 'type'),
  );
  const scalings = new Counter(
    options('scalings_total', 'Scale ups and scale downs of the target', 'scaler', 'direction'),
  );
  const leading = new Gauge(options('leader', '1 if this replica holds the leader election lease, otherwise 0'));
  const requests = new Counter(
    options(
      'rest_client_requests_total',
      'Requests to the API server by method and status code, 0 without a response',
      'method',
      'code',
    ),
  );
  const reconciliations = new Histogram({
    ...options('reconcile_duration_seconds', 'Duration of reconciliations by result', 'result'),
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  leading.set(0);
  // Starts at 0. If a counter first appeared with its first failure, Prometheus would see no increase.
  for (const result of ['success', 'error']) reconciliations.zero({ result });

  /**
   * Last result by QueueScaler, undefined without a target. The gauges are rebuilt from it, so that unknown or removed
   * queues have no series.
   */
  const latest = new Map<string, { readonly observation: Observation; readonly decision: Decision } | undefined>();
  const refresh = (): void => {
    for (const gauge of [jobs, oldest, paused, found, targetFound, replicas]) gauge.reset();
    for (const [scaler, last] of latest) {
      targetFound.set({ scaler }, last === undefined ? 0 : 1);
      if (last === undefined) continue;
      const { observation, decision } = last;
      found.set({ scaler }, observation.unknownQueues.length === 0 ? 1 : 0);
      for (const { name: queue, version: _, isPaused, oldestWaitSeconds, ...counts } of observation.queues) {
        for (const [state, count] of Object.entries(counts)) jobs.set({ scaler, queue, state }, count);
        oldest.set({ scaler, queue }, oldestWaitSeconds ?? 0);
        paused.set({ scaler, queue }, isPaused ? 1 : 0);
      }
      replicas.set({ scaler, type: 'current' }, observation.currentReplicas);
      if (decision.recommended !== undefined) replicas.set({ scaler, type: 'recommended' }, decision.recommended);
      replicas.set({ scaler, type: 'desired' }, decision.replicas);
      replicas.set({ scaler, type: 'busy' }, observation.busyPods);
    }
  };
  return {
    registry,
    record: (scaler, observation, decision, change) => {
      latest.set(scaler, { observation, decision });
      if (change !== 0) scalings.inc({ scaler, direction: change > 0 ? 'up' : 'down' });
    },
    recordMissingTarget: (scaler) => void latest.set(scaler, undefined),
    forget: (scaler) => void latest.delete(scaler),
    setLeading: (isLeading) => leading.set(isLeading ? 1 : 0),
    recordReconcile: (seconds, result) => reconciliations.observe({ result }, seconds),
    recordRequest: (method, status) => requests.inc({ method, code: status }),
    expose: async () => {
      refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
};
