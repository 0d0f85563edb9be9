import type { Cluster } from '../cluster/cluster.ts';
import type { ObjectMeta, OtherScaler, QueueScaler } from '../api/objects.ts';

/**
 * Finds another autoscaler or an older QueueScaler of the same target, and returns a description of the conflict.
 * `cached` is cheap and may be half a minute old. Use `fresh` right before a write.
 */
export type FindConflict = (scaler: QueueScaler, freshness: 'cached' | 'fresh') => Promise<string | undefined>;

/**
 * Maximum age of the lists in ms, counted from the request. Concurrent callers share one request, so that slow lists do
 * not use up all connections.
 */
const maxAgeMs = { cached: 30_000, fresh: 1_000 };

/** Creates the finder. `scalers` holds all QueueScalers of the namespace by name. */
export const createConflictFinder = (cluster: Cluster, scalers: ReadonlyMap<string, QueueScaler>): FindConflict => {
  let latest: { readonly others: ReturnType<typeof listOtherScalers>; readonly at: number } | undefined;
  const listOtherScalers = async (): Promise<readonly (readonly [string, OtherScaler])[]> => {
    const [autoscalers, scaledObjects] = await Promise.all([cluster.listAutoscalers(), cluster.listScaledObjects()]);
    return [
      ...autoscalers.map((other) => ['HorizontalPodAutoscaler', other] as const),
      ...scaledObjects.map((other) => ['ScaledObject', other] as const),
    ];
  };
  const findOtherScalers = async (freshness: keyof typeof maxAgeMs) => {
    if (latest === undefined || performance.now() - latest.at >= maxAgeMs[freshness])
      latest = { others: listOtherScalers(), at: performance.now() };
    const request = latest;
    try {
      return await request.others;
    } catch (error) {
      if (latest === request) latest = undefined;
      throw error;
    }
  };
  return async (scaler, freshness) => {
    const { name } = scaler.spec.scaleTargetRef;
    const owner = (await findOtherScalers(freshness)).find(
      ([, { spec }]) =>
        spec?.scaleTargetRef?.name === name && (spec.scaleTargetRef.kind ?? 'Deployment') === 'Deployment',
    );
    if (owner !== undefined) return `${owner[0]} ${owner[1].metadata?.name} scales Deployment ${name}`;
    const older = [...scalers.values()].find(
      ({ spec, metadata }) =>
        // A suspended QueueScaler scales nothing.
        !spec.suspend && spec.scaleTargetRef.name === name && isOlder(metadata, scaler.metadata),
    );
    return older && `QueueScaler ${older.metadata.name} already scales Deployment ${name}`;
  };
};

/** Orders two QueueScalers of one target. The older one scales it. */
const isOlder = (a: ObjectMeta, b: ObjectMeta): boolean =>
  a.creationTimestamp === b.creationTimestamp ? a.name < b.name : a.creationTimestamp < b.creationTimestamp;
