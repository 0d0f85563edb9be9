import type { FindConflict } from './apply/conflicts.ts';
import { costChanges, countPods, matchPods, type TargetPod } from './apply/pods.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Deployment, QueueScaler } from './cluster/objects.ts';
import { decide, type Decision } from './decide/decide.ts';
import { beginHistory, remember, type History } from './decide/history.ts';
import type { Observation } from './decide/observation.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { observeQueues, type QueuesObservation } from './observe/observeQueues.ts';
import type { RedisConnections } from './observe/redis.ts';
import type { QueueScalerSpec } from './queueScaler.ts';
import { buildStatus, changedConditions, isNews, isWell, type Turn } from './status/status.ts';
import type { NextTurn } from './workQueue.ts';

/** What a turn needs. */
export interface ReconcileDeps {
  readonly cluster: Cluster;
  readonly redis: RedisConnections;
  /** Where a QueueScaler names no Redis of its own. */
  readonly redisUrl: string | undefined;
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

/**
 * Answers the one function that turns what is observed into what is written: observe → decide → apply → status. Each turn reads everything
 * afresh, so that it does not matter which changes were heard of.
 */
export const reconciler = (deps: ReconcileDeps): ((name: string) => Promise<NextTurn | undefined>) => {
  const { cluster, findConflict, known, metrics } = deps;
  const histories = new Map<string, History>();
  const settlings = new Map<string, number>();
  const forget = (name: string): void => {
    for (const memory of [known, histories, settlings]) memory.delete(name);
    metrics.forget(name);
  };

  return async (name) => {
    const now = Date.now();
    const scaler = await cluster.findQueueScaler(name);
    if (scaler === undefined) return forget(name) as undefined;
    known.set(name, scaler);
    const { spec } = scaler;
    const intervalMs = spec.pollIntervalSeconds * 1_000;
    const deployment = await cluster.findDeployment(spec.scaleTargetRef.name);
    if (deployment === undefined) {
      histories.delete(name);
      await writeStatus(deps, scaler, { ...withoutTarget, spec, now });
      return { inMs: intervalMs, intervalMs };
    }

    const { observation, targetPods } = await observe(deps, scaler, deployment, now);
    const before = histories.get(name) ?? beginHistory(observation.currentReplicas, remembered(scaler), now);
    const decision = decide(spec, observation, before, now);
    let conflict = await findConflict(scaler, 'lately');
    let change = decision.replicas - observation.currentReplicas;
    if (change !== 0 && conflict === undefined) conflict = await findConflict(scaler, 'now');
    if (conflict !== undefined) change = 0;

    if (change < 0 && spec.protectBusyPods !== 'Off' && (await setCosts(deps, targetPods)) > 0) {
      const since = settlings.get(name) ?? now;
      settlings.set(name, since);
      // Next time everything is read afresh: a pod may have taken a job by then.
      if (now - since < settledMs) return { inMs: settleMs, intervalMs };
    }
    settlings.delete(name);
    if (change !== 0) await cluster.scaleDeployment(deployment, decision.replicas);
    const history = remember(before, { spec, observation, decision, change }, now);
    histories.set(name, history);
    metrics.record(name, observation, decision, change);

    const scaled = change === 0 ? undefined : decision.reason;
    const existingReplicas = deployment.status?.replicas ?? 0;
    if (scaled !== undefined) await tellScaling(deps, scaler, observation, decision);
    const turn = { spec, observation, decision, conflict, history, existingReplicas, scaled, now };
    await writeStatus(deps, scaler, turn);
    return { inMs: intervalMs, intervalMs };
  };
};

const withoutTarget = {
  observation: undefined,
  decision: undefined,
  conflict: undefined,
  history: undefined,
  existingReplicas: undefined,
  scaled: undefined,
};

const observe = async (
  deps: ReconcileDeps,
  { spec }: QueueScaler,
  { metadata, spec: { replicas, selector }, status = {} }: Deployment,
  now: number,
): Promise<{ readonly observation: Observation; readonly targetPods: readonly TargetPod[] }> => {
  const { jobsInHand, ...queues } = await observeRedis(deps, spec, now);
  // Who is busy is not asked where it does not matter.
  const isAsked = spec.protectBusyPods !== 'Off' && replicas > 0;
  const targetPods = matchPods(isAsked ? await deps.cluster.listPods(selector) : [], jobsInHand, now);
  const isCurrent = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isRollingOut = !isCurrent || (status.updatedReplicas ?? 0) < (status.replicas ?? 0);
  const observation = { ...queues, ...countPods(targetPods, jobsInHand), currentReplicas: replicas, isRollingOut };
  return { observation, targetPods };
};

const observeRedis = async (deps: ReconcileDeps, spec: QueueScalerSpec, now: number): Promise<QueuesObservation> => {
  const url = await findRedisUrl(deps, spec);
  if ('reason' in url) {
    const unknownQueues = spec.queues.map(({ name }) => ({ name, reason: url.reason }));
    return { queues: [], unknownQueues, jobsInHand: [] };
  }
  return observeQueues(deps.redis, url.url, spec, now);
};

const findRedisUrl = async (
  { cluster, redisUrl }: ReconcileDeps,
  { redis }: QueueScalerSpec,
): Promise<{ readonly url: string } | { readonly reason: string }> => {
  if (redis === undefined)
    return redisUrl === undefined
      ? { reason: 'neither spec.redis nor HEARTH_REDIS_URL says where Redis is' }
      : { url: redisUrl };
  const { name, key } = redis.secretRef;
  const encoded = (await cluster.findSecret(name))?.data?.[key];
  if (encoded === undefined) return { reason: `there is no entry ${key} in a Secret ${name}` };
  const url = Buffer.from(encoded, 'base64').toString().trim();
  return /^rediss?:\/\//.test(url) ? { url } : { reason: `the entry ${key} of Secret ${name} is no redis:// URL` };
};

/** What the leader before wrote. */
const remembered = ({ status }: QueueScaler): Parameters<typeof beginHistory>[1] => ({
  lastActiveAt: status?.lastActiveTime === undefined ? undefined : Date.parse(status.lastActiveTime),
  wasActive: status?.conditions?.some(({ type, status }) => type === 'Active' && status !== 'False') ?? false,
});

/** Writes the deletion costs that are wrong, and answers how many were. */
const setCosts = async ({ cluster }: ReconcileDeps, targetPods: readonly TargetPod[]): Promise<number> => {
  const changes = costChanges(targetPods);
  for (const { name, annotations } of changes) await cluster.annotatePod(name, annotations);
  return changes.length;
};

const tellScaling = async (
  deps: ReconcileDeps,
  scaler: QueueScaler,
  { currentReplicas }: Observation,
  { replicas, reason }: Decision,
): Promise<void> => {
  const message = `Deployment ${scaler.spec.scaleTargetRef.name}: ${currentReplicas} → ${replicas} pods (${reason})`;
  deps.log.info({ scaler: scaler.metadata.name, from: currentReplicas, to: replicas, reason }, 'scaled');
  await tell(deps, scaler, { type: 'Normal', reason: replicas > currentReplicas ? 'ScaledUp' : 'ScaledDown', message });
};

const writeStatus = async (deps: ReconcileDeps, scaler: QueueScaler, turn: Turn): Promise<void> => {
  const status = buildStatus(scaler, turn);
  if (!isNews(scaler.status, status)) return;
  await deps.cluster.applyStatus(scaler.metadata.name, status);
  for (const condition of changedConditions(scaler.status, status)) {
    const { type, status, reason, message } = condition;
    deps.log.info({ scaler: scaler.metadata.name, type, status, reason, message }, 'condition changed');
    await tell(deps, scaler, {
      type: isWell(condition) ? 'Normal' : 'Warning',
      reason,
      message: `${type}: ${message}`,
    });
  }
};

/** An event that gets lost is no reason to do anything again. */
const tell = async (
  { cluster, log }: ReconcileDeps,
  regarding: QueueScaler,
  event: Omit<Parameters<Cluster['createEvent']>[0], 'regarding'>,
): Promise<void> => {
  await cluster
    .createEvent({ ...event, regarding })
    .catch((error: unknown) => log.warn({ err: error }, 'an event was lost'));
};
