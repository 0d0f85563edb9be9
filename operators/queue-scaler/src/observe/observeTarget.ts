import type { V1Deployment } from '@kubernetes/client-node';
import { countPods, matchPods, type TargetPod } from './pods.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { QueueScaler } from '../cluster/objects.ts';
import type { Observation } from '../decide/observation.ts';
import type { QueueScalerSpec } from '../queueScaler.ts';
import { observeQueues, type QueuesObservation } from './observeQueues.ts';
import type { RedisConnections } from './redis.ts';

/** What is asked. */
export interface ObserveDeps {
  readonly cluster: Pick<Cluster, 'listPods' | 'findSecret'>;
  readonly redis: RedisConnections;
  /** Where a QueueScaler names no Redis of its own. */
  readonly redisUrl: string | undefined;
}

/** Milliseconds for which a Secret is not read again, as long as Redis answers. */
const secretMs = 60_000;

/** What a decision rests on; the pods only where jobs are in hand, since else none of them is at work. */
export type ObserveTarget = (
  scaler: QueueScaler,
  deployment: V1Deployment,
  now: number,
) => Promise<{ readonly observation: Observation; readonly targetPods: readonly TargetPod[] }>;

export const targetObserver = ({ cluster, redis, redisUrl }: ObserveDeps): ObserveTarget => {
  const findRedisUrl = redisUrlFinder(cluster, redisUrl);
  const observeRedis = async (spec: QueueScalerSpec, now: number): Promise<QueuesObservation> => {
    const found = await findRedisUrl(spec);
    if ('reason' in found) {
      const unknownQueues = spec.queues.map(({ name }) => ({ name, reason: found.reason }));
      return { queues: [], unknownQueues, jobsInHand: [] };
    }
    const seen = await observeQueues(redis, found.url, spec, now);
    if (seen.unknownQueues.length > 0) found.doubt();
    return seen;
  };

  return async ({ spec }, deployment, now) => {
    const { replicas = 1, selector = {} } = deployment.spec ?? {};
    const { jobsInHand, ...queues } = await observeRedis(spec, now);
    const isAsked = spec.protectBusyPods !== 'Off' && replicas > 0 && jobsInHand.length > 0;
    const pods = isAsked ? await cluster.listPods(selector) : [];
    const targetPods = matchPods(pods, jobsInHand, now);
    const counts = countPods(pods, targetPods, jobsInHand);
    const idlePods = isAsked ? counts.idlePods : replicas;
    const rollout = rolloutOf(deployment);
    return { observation: { ...queues, ...counts, idlePods, currentReplicas: replicas, rollout }, targetPods };
  };
};

/** What the Deployment's controller has not seen yet may be a new template. */
const rolloutOf = ({ metadata, spec, status = {} }: V1Deployment): Observation['rollout'] => {
  if ((status.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return 'progressing';
  if ((status.updatedReplicas ?? 0) >= (status.replicas ?? 0)) return 'none';
  const hasGivenUp = status.conditions?.some(({ type, status }) => type === 'Progressing' && status === 'False');
  return spec?.paused || hasGivenUp ? 'stuck' : 'progressing';
};

/** Where a Redis is, and what to do when it does not answer there; or why nobody knows. */
type FoundUrl = { readonly url: string; readonly doubt: () => void } | { readonly reason: string };

const redisUrlFinder = (cluster: ObserveDeps['cluster'], redisUrl: string | undefined) => {
  const known = new Map<string, { readonly url: string; readonly at: number }>();
  return async ({ redis }: QueueScalerSpec): Promise<FoundUrl> => {
    if (redis === undefined)
      return redisUrl === undefined
        ? { reason: 'neither spec.redis nor HEARTH_REDIS_URL says where Redis is' }
        : { url: redisUrl, doubt: () => undefined };
    const { name, key } = redis.secretRef;
    const place = `${name}/${key}`;
    const doubt = (): void => void known.delete(place);
    const last = known.get(place);
    if (last !== undefined && performance.now() - last.at < secretMs) return { url: last.url, doubt };
    const encoded = (await cluster.findSecret(name))?.data?.[key];
    if (encoded === undefined) return { reason: `there is no entry ${key} in a Secret ${name}, or it may not be read` };
    const url = Buffer.from(encoded, 'base64').toString().trim();
    if (!/^rediss?:\/\//.test(url)) return { reason: `the entry ${key} of Secret ${name} is no redis:// URL` };
    known.set(place, { url, at: performance.now() });
    return { url, doubt };
  };
};
