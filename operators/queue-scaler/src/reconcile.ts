import type { QueueScaler } from './api/objects.ts';
import type { FindConflict } from './apply/conflicts.ts';
import { writeCosts } from './apply/deletionCosts.ts';
import type { Cluster } from './cluster/cluster.ts';
import { ApiError } from './cluster/apiError.ts';
import { decide } from './decide/decide.ts';
import { initialHistory, type History, type PersistedHistory } from './decide/history.ts';
import { updateHistory } from './decide/updateHistory.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ObserveTarget } from './observe/observeTarget.ts';
import { buildStatus, buildRejectedStatus } from './status/status.ts';
import { reportScaling, writeStatus } from './status/writeStatus.ts';
import type { ReconcileResult } from './workQueue.ts';

export interface ReconcileDeps {
  readonly cluster: Cluster;
  readonly observeTarget: ObserveTarget;
  readonly findConflict: FindConflict;
  /** Last known state of every QueueScaler by name. */
  readonly scalers: Map<string, QueueScaler>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/**
 * Pause between writing deletion costs and scaling down, in ms. Meanwhile the ReplicaSet controller's watch receives the
 * new costs.
 */
const costPropagationMs = 1_000;

/** Time after which the target is scaled down even if deletion costs still change with every reconcile, in ms. */
const maxCostPropagationMs = 15_000;

/** State kept between two reconciles of a QueueScaler. */
interface Memory {
  /** Uids of the QueueScaler and its target. The state is discarded if one of them was replaced by a new object. */
  readonly uids: string;
  readonly history: History;
  /** Time when deletion costs were first written for the pending scale down, on the history's clock. */
  readonly costsWrittenAt?: number;
}

/**
 * Creates the reconciler: observe, decide, apply, write the status. Each reconcile reads the whole state again, so a
 * lost watch event only delays it.
 */
export const createReconciler = (deps: ReconcileDeps): ((name: string) => Promise<ReconcileResult | undefined>) => {
  const { cluster, findConflict, scalers, metrics } = deps;
  const memories = new Map<string, Memory>();

  const reconcileOnce = async (name: string, scaler: QueueScaler, now: number): Promise<ReconcileResult> => {
    // Windows and cooldowns use the monotonic clock, because the wall clock can be set back.
    const at = performance.now();
    const { spec, metadata } = scaler;
    const intervalMs = spec.pollIntervalSeconds * 1_000;
    const deployment = await cluster.findDeployment(spec.scaleTargetRef.name);
    if (deployment === undefined) {
      memories.delete(name);
      metrics.recordMissingTarget(name);
      await writeStatus(deps, scaler, buildStatus(scaler, { ...withoutTarget, spec, now }));
      return { requeueAfterMs: intervalMs, intervalMs };
    }

    const { observation, targetPods } = await deps.observeTarget(scaler, deployment, now);
    const uids = `${metadata.uid} ${deployment.metadata?.uid}`;
    const memory = memories.get(name);
    const isSame = memory?.uids === uids;
    const before = isSame
      ? memory.history
      : initialHistory(observation.currentReplicas, getPersistedHistory(scaler, now), at);
    const decision = decide(spec, observation, before, at);
    let conflict = await findConflict(scaler, 'cached');
    let change = decision.replicas - observation.currentReplicas;
    if (change !== 0 && conflict === undefined) conflict = await findConflict(scaler, 'fresh');
    if (conflict !== undefined) change = 0;

    if (change < 0 && spec.protectBusyPods !== 'Off' && (await writeCosts(cluster, targetPods)) > 0) {
      const costsWrittenAt = (isSame ? memory.costsWrittenAt : undefined) ?? at;
      memories.set(name, { uids, history: before, costsWrittenAt });
      // The next reconcile reads everything again, because a pod may have started a job by then.
      if (at - costsWrittenAt < maxCostPropagationMs) return { requeueAfterMs: costPropagationMs, intervalMs };
    }
    if (change !== 0) await cluster.scaleDeployment(deployment, decision.replicas);
    const history = updateHistory(before, { spec, observation, decision, change }, at);
    memories.set(name, { uids, history });
    metrics.record(name, observation, decision, change);

    const scaled = change === 0 ? undefined : decision.reason;
    const existingReplicas = deployment.status?.replicas ?? 0;
    const idleMs = at - history.lastActiveAt;
    if (scaled !== undefined) await reportScaling(deps, scaler, observation, decision);
    const outcome = { spec, observation, decision, conflict, history, idleMs, existingReplicas, scaled, now };
    await writeStatus(deps, scaler, buildStatus(scaler, outcome));
    return { requeueAfterMs: intervalMs, intervalMs };
  };

  return async (name) => {
    const scaler = await cluster.findQueueScaler(name);
    if (scaler === undefined) {
      for (const map of [scalers, memories]) map.delete(name);
      return metrics.forget(name) as undefined;
    }
    scalers.set(name, scaler);
    const now = Date.now();
    try {
      return await reconcileOnce(name, scaler, now);
    } catch (error) {
      if (isPermanent(error)) await writeStatus(deps, scaler, buildRejectedStatus(scaler, error.message, now));
      throw error;
    }
  };
};

const withoutTarget = {
  observation: undefined,
  decision: undefined,
  conflict: undefined,
  history: undefined,
  idleMs: undefined,
  existingReplicas: undefined,
  scaled: undefined,
};

/** Returns the part of the history that the previous leader left in the status. */
const getPersistedHistory = ({ status }: QueueScaler, now: number): PersistedHistory => ({
  idleMs: status?.lastActiveTime === undefined ? undefined : now - Date.parse(status.lastActiveTime),
  wasActive: status?.conditions?.some(({ type, status }) => type === 'Active' && status !== 'False') ?? false,
});

/**
 * Returns true if the request keeps failing until someone makes a change, such as adding a verb to a Role. Excludes 401,
 * because the status could not be written either, and other statuses that resolve themselves.
 */
const isPermanent = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 404, 408, 409, 410, 429].includes(error.status);
