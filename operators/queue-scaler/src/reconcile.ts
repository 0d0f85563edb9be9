import type { FindConflict } from './apply/conflicts.ts';
import { costChanges } from './apply/deletionCosts.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { QueueScaler } from './cluster/objects.ts';
import { ApiError } from './cluster/apiError.ts';
import { decide } from './decide/decide.ts';
import { beginHistory, type History, type Remembered } from './decide/history.ts';
import { remember } from './decide/remember.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ObserveTarget } from './observe/observeTarget.ts';
import type { TargetPod } from './observe/pods.ts';
import { buildStatus, refusedStatus } from './status/status.ts';
import { tellScaling, writeStatus } from './status/writeStatus.ts';
import type { NextTurn } from './workQueue.ts';

/** What a turn needs. */
export interface ReconcileDeps {
  readonly cluster: Cluster;
  readonly observeTarget: ObserveTarget;
  readonly findConflict: FindConflict;
  /** Every QueueScaler as it was last seen, by name. */
  readonly known: Map<string, QueueScaler>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Milliseconds for the controller that takes pods away to hear of their deletion costs, which it watches, before it is told to take some. */
const settleMs = 1_000;

/** Milliseconds after which pods that change between busy and idle are waited for no longer. */
const settledMs = 15_000;

/** What is remembered of a QueueScaler and its target, as long as they are the same two. */
interface Memory {
  readonly uids: string;
  readonly history: History;
  /** Since when deletion costs are being written, on the clock of the history. */
  readonly settlingSince?: number;
}

/**
 * Answers the one function that turns what is observed into what is written: observe → decide → apply → status. Each turn reads everything
 * afresh, so that it does not matter which changes were heard of.
 */
export const reconciler = (deps: ReconcileDeps): ((name: string) => Promise<NextTurn | undefined>) => {
  const { cluster, findConflict, known, metrics } = deps;
  const memories = new Map<string, Memory>();

  const takeTurn = async (name: string, scaler: QueueScaler, now: number): Promise<NextTurn> => {
    // The clock of the machine may be set, back too, and must not lengthen any window.
    const at = performance.now();
    const { spec, metadata } = scaler;
    const intervalMs = spec.pollIntervalSeconds * 1_000;
    const deployment = await cluster.findDeployment(spec.scaleTargetRef.name);
    if (deployment === undefined) {
      memories.delete(name);
      metrics.forget(name);
      await writeStatus(deps, scaler, buildStatus(scaler, { ...withoutTarget, spec, now }));
      return { inMs: intervalMs, intervalMs };
    }

    const { observation, targetPods } = await deps.observeTarget(scaler, deployment, now);
    const uids = `${metadata.uid} ${deployment.metadata?.uid}`;
    const memory = memories.get(name);
    const isSame = memory?.uids === uids;
    const before = isSame ? memory.history : beginHistory(observation.currentReplicas, remembered(scaler, now), at);
    const decision = decide(spec, observation, before, at);
    let conflict = await findConflict(scaler, 'lately');
    let change = decision.replicas - observation.currentReplicas;
    if (change !== 0 && conflict === undefined) conflict = await findConflict(scaler, 'now');
    if (conflict !== undefined) change = 0;

    if (change < 0 && spec.protectBusyPods !== 'Off' && (await setCosts(cluster, targetPods)) > 0) {
      const settlingSince = (isSame ? memory.settlingSince : undefined) ?? at;
      memories.set(name, { uids, history: before, settlingSince });
      // Next time everything is read afresh: a pod may have taken a job by then.
      if (at - settlingSince < settledMs) return { inMs: settleMs, intervalMs };
    }
    if (change !== 0) await cluster.scaleDeployment(deployment, decision.replicas);
    const history = remember(before, { spec, observation, decision, change }, at);
    memories.set(name, { uids, history });
    metrics.record(name, observation, decision, change);

    const scaled = change === 0 ? undefined : decision.reason;
    const existingReplicas = deployment.status?.replicas ?? 0;
    const idleMs = at - history.lastActiveAt;
    if (scaled !== undefined) await tellScaling(deps, scaler, observation, decision);
    const turn = { spec, observation, decision, conflict, history, idleMs, existingReplicas, scaled, now };
    await writeStatus(deps, scaler, buildStatus(scaler, turn));
    return { inMs: intervalMs, intervalMs };
  };

  return async (name) => {
    const scaler = await cluster.findQueueScaler(name);
    if (scaler === undefined) {
      for (const each of [known, memories]) each.delete(name);
      return metrics.forget(name) as undefined;
    }
    known.set(name, scaler);
    const now = Date.now();
    try {
      return await takeTurn(name, scaler, now);
    } catch (error) {
      if (isRefusal(error)) await writeStatus(deps, scaler, refusedStatus(scaler, error.message, now));
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

/** What the leader before wrote. */
const remembered = ({ status }: QueueScaler, now: number): Remembered => ({
  idleMs: status?.lastActiveTime === undefined ? undefined : now - Date.parse(status.lastActiveTime),
  wasActive: status?.conditions?.some(({ type, status }) => type === 'Active' && status !== 'False') ?? false,
});

/** Writes the deletion costs that are wrong, and answers how many were. */
const setCosts = async (cluster: Cluster, targetPods: readonly TargetPod[]): Promise<number> => {
  const changes = costChanges(targetPods);
  for (const { name, annotations } of changes) await cluster.annotatePod(name, annotations);
  return changes.length;
};

/** What somebody has to mend, such as a Role without a verb: all but what another moment may change, and 401, by which nothing can be written either. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 404, 408, 409, 410, 429].includes(error.status);
