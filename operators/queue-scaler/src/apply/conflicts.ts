import type { Cluster } from '../cluster/cluster.ts';
import type { OtherScaler, QueueScaler } from '../cluster/objects.ts';

/** Finds who else sets the number of pods of a QueueScaler's target; undefined where nobody does. */
export type FindConflict = (scaler: QueueScaler, howFresh: 'now' | 'lately') => Promise<string | undefined>;

/** Milliseconds for which it is believed that nobody else came, as long as nothing is written. */
const latelyMs = 30_000;

/** `known` are all QueueScalers of the namespace. */
export const conflictFinder = (cluster: Cluster, known: ReadonlyMap<string, QueueScaler>): FindConflict => {
  let last: { readonly others: readonly (readonly [string, OtherScaler])[]; readonly at: number } | undefined;
  const listOthers = async () => {
    const [autoscalers, scaledObjects] = await Promise.all([cluster.listAutoscalers(), cluster.listScaledObjects()]);
    return [
      ...autoscalers.map((other) => ['HorizontalPodAutoscaler', other] as const),
      ...scaledObjects.map((other) => ['ScaledObject', other] as const),
    ];
  };
  return async (scaler, howFresh) => {
    const { name } = scaler.spec.scaleTargetRef;
    if (last === undefined || howFresh === 'now' || performance.now() - last.at >= latelyMs)
      last = { others: await listOthers(), at: performance.now() };
    const owner = last.others.find(
      ([, { spec }]) =>
        spec.scaleTargetRef.name === name && (spec.scaleTargetRef.kind ?? 'Deployment') === 'Deployment',
    );
    if (owner !== undefined) return `${owner[0]} ${owner[1].metadata.name} scales Deployment ${name}`;
    const elder = [...known.values()].find(
      (other) => other.spec.scaleTargetRef.name === name && isElder(other, scaler),
    );
    return elder && `QueueScaler ${elder.metadata.name} scales Deployment ${name} already`;
  };
};

/** Of two for one target, the one that was there first counts. */
const isElder = ({ metadata: a }: QueueScaler, { metadata: b }: QueueScaler): boolean =>
  a.creationTimestamp === b.creationTimestamp ? a.name < b.name : a.creationTimestamp < b.creationTimestamp;
