import type { V1Deployment } from '@kubernetes/client-node';
import { countPods, formatSelector, matchPods, type TargetPod } from './pods.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { QueueScaler } from '../api/objects.ts';
import type { Observation } from '../decide/observation.ts';
import type { QueueScalerSpec } from '../api/queueScaler.ts';
import { observeQueues, type QueuesObservation } from './observeQueues.ts';
import type { RedisConnections } from './redis.ts';

export interface ObserveDeps {
  readonly cluster: Pick<Cluster, 'listPods' | 'findSecret'>;
  readonly redis: RedisConnections;
  /** Redis of QueueScalers without `spec.redis`. */
  readonly redisUrl: string | undefined;
}

/** Cache duration of a Secret while its Redis works, in ms. */
const secretCacheMs = 60_000;

/**
 * Reads the state of the target and of its queues. Pods are listed only if busy pods are protected, and only while jobs
 * are active, because otherwise no pod is busy.
 */
export type ObserveTarget = (
  scaler: QueueScaler,
  deployment: V1Deployment,
  now: number,
) => Promise<{ readonly observation: Observation; readonly targetPods: readonly TargetPod[] }>;

export const createTargetObserver = ({ cluster, redis, redisUrl }: ObserveDeps): ObserveTarget => {
  const findRedisUrl = createRedisUrlFinder(cluster, redisUrl);
  const observeRedis = async (spec: QueueScalerSpec, now: number): Promise<QueuesObservation> => {
    const found = await findRedisUrl(spec);
    if ('reason' in found) {
      const unknownQueues = spec.queues.map(({ name }) => ({ name, reason: found.reason }));
      return { queues: [], unknownQueues, activeJobs: [] };
    }
    const result = await observeQueues(redis, found.url, spec, now);
    if (result.unknownQueues.length > 0) found.invalidate();
    return result;
  };

  return async ({ spec }, deployment, now) => {
    const { replicas = 1, selector = {} } = deployment.spec ?? {};
    const { activeJobs, ...queues } = await observeRedis(spec, now);
    const mayHaveBusyPods = spec.protectBusyPods !== 'Off' && replicas > 0 && activeJobs.length > 0;
    const pods = mayHaveBusyPods ? await cluster.listPods(formatSelector(selector)) : [];
    const targetPods = matchPods(pods, activeJobs, now);
    const counts = countPods(pods, targetPods, activeJobs);
    const idlePods = mayHaveBusyPods ? counts.idlePods : replicas;
    const rollout = getRollout(deployment);
    return { observation: { ...queues, ...counts, idlePods, currentReplicas: replicas, rollout }, targetPods };
  };
};

/**
 * Returns the state of the rollout. A generation that the Deployment controller has not observed yet may have a new
 * template.
 */
const getRollout = ({ metadata, spec, status = {} }: V1Deployment): Observation['rollout'] => {
  if ((status.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return 'progressing';
  if ((status.updatedReplicas ?? 0) >= (status.replicas ?? 0)) return 'none';
  const hasExceededDeadline = status.conditions?.some(
    ({ type, status }) => type === 'Progressing' && status === 'False',
  );
  return spec?.paused || hasExceededDeadline ? 'stuck' : 'progressing';
};

/** URL of a Redis with a function that removes it from the cache, or the reason why it is unknown. */
type FoundUrl = { readonly url: string; readonly invalidate: () => void } | { readonly reason: string };

const createRedisUrlFinder = (cluster: ObserveDeps['cluster'], redisUrl: string | undefined) => {
  const cache = new Map<string, { readonly url: string; readonly at: number }>();
  return async ({ redis }: QueueScalerSpec): Promise<FoundUrl> => {
    if (redis === undefined)
      return redisUrl === undefined
        ? { reason: 'neither spec.redis nor HEARTH_REDIS_URL is set' }
        : { url: redisUrl, invalidate: () => undefined };
    const { name, key } = redis.secretRef;
    const cacheKey = `${name}/${key}`;
    const invalidate = (): void => void cache.delete(cacheKey);
    const cached = cache.get(cacheKey);
    if (cached !== undefined && performance.now() - cached.at < secretCacheMs) return { url: cached.url, invalidate };
    const encoded = (await cluster.findSecret(name))?.data?.[key];
    if (encoded === undefined)
      return { reason: `Secret ${name} has no key ${key}, does not exist, or the operator is not allowed to get it` };
    const url = Buffer.from(encoded, 'base64').toString().trim();
    if (!/^rediss?:\/\//.test(url)) return { reason: `key ${key} of Secret ${name} is not a redis:// URL` };
    cache.set(cacheKey, { url, at: performance.now() });
    return { url, invalidate };
  };
};
