import type { Cluster } from '../cluster/cluster.ts';
import type { ObjectMeta, OtherScaler, QueueScaler } from '../cluster/objects.ts';

/** Finds who else sets the number of pods of a QueueScaler's target; undefined where nobody does. */
export type FindConflict = (scaler: QueueScaler, howFresh: 'now' | 'lately') => Promise<string | undefined>;

/**
 * Milliseconds for which a list is believed, from when it was asked for: while nothing is written, and where something is. Those who ask meanwhile
 * share it, so that slow lists do not take all connections.
 */
const freshMs = { lately: 30_000, now: 1_000 };

/** `known` are all QueueScalers of the namespace. */
export const conflictFinder = (cluster: Cluster, known: ReadonlyMap<string, QueueScaler>): FindConflict => {
  let last: { readonly others: ReturnType<typeof listOthers>; readonly at: number } | undefined;
  const listOthers = async (): Promise<readonly (readonly [string, OtherScaler])[]> => {
    const [autoscalers, scaledObjects] = await Promise.all([cluster.listAutoscalers(), cluster.listScaledObjects()]);
    return [
      ...autoscalers.map((other) => ['HorizontalPodAutoscaler', other] as const),
      ...scaledObjects.map((other) => ['ScaledObject', other] as const),
    ];
  };
  const othersOf = async (howFresh: keyof typeof freshMs) => {
    if (last === undefined || performance.now() - last.at >= freshMs[howFresh])
      last = { others: listOthers(), at: performance.now() };
    const asked = last;
    try {
      return await asked.others;
    } catch (error) {
      if (last === asked) last = undefined;
      throw error;
    }
  };
  return async (scaler, howFresh) => {
    const { name } = scaler.spec.scaleTargetRef;
    const owner = (await othersOf(howFresh)).find(
      ([, { spec }]) =>
        spec?.scaleTargetRef?.name === name && (spec.scaleTargetRef.kind ?? 'Deployment') === 'Deployment',
    );
    if (owner !== undefined) return `${owner[0]} ${owner[1].metadata?.name} scales Deployment ${name}`;
    const elder = [...known.values()].find(
      ({ spec, metadata }) =>
        // One that is suspended scales nothing.
        !spec.suspend && spec.scaleTargetRef.name === name && isElder(metadata, scaler.metadata),
    );
    return elder && `QueueScaler ${elder.metadata.name} already scales Deployment ${name}`;
  };
};

/** Of two for one target, the one that was there first counts. */
const isElder = (a: ObjectMeta, b: ObjectMeta): boolean =>
  a.creationTimestamp === b.creationTimestamp ? a.name < b.name : a.creationTimestamp < b.creationTimestamp;
