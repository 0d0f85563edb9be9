import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../cluster/cluster.ts';
import type { TargetPod } from '../observe/pods.ts';

/** Annotation for removal order: among equally ready pods, Kubernetes removes those with the lowest cost first. */
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** Lowest and highest cost of a busy pod: the highest is a day in seconds. */
const minBusyCost = 10;
const maxCost = 86_400;

/** A pod with an outdated deletion cost, and its new annotations. */
export interface CostChange {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Returns the changes that make Kubernetes remove idle pods before busy ones. The cost of a pod that stays busy is not
 * updated.
 */
export const listCostChanges = (targetPods: readonly TargetPod[]): readonly CostChange[] =>
  targetPods
    .filter(({ pod, busySeconds }) => getCost(pod) >= minBusyCost !== (busySeconds !== undefined))
    .map(({ pod, busySeconds }) => {
      const cost = busySeconds === undefined ? 0 : Math.min(minBusyCost + busySeconds, maxCost);
      return { name: pod.metadata?.name ?? '', annotations: { [deletionCost]: String(cost) } };
    });

/** Writes the outdated deletion costs and returns their number. */
export const writeCosts = async (
  cluster: Pick<Cluster, 'annotatePod'>,
  targetPods: readonly TargetPod[],
): Promise<number> => {
  const changes = listCostChanges(targetPods);
  for (const { name, annotations } of changes) await cluster.annotatePod(name, annotations);
  return changes.length;
};

const getCost = ({ metadata }: V1Pod): number => Number(metadata?.annotations?.[deletionCost] ?? 0);
