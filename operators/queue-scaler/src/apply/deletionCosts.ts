import type { V1Pod } from '@kubernetes/client-node';
import type { TargetPod } from '../observe/pods.ts';

/** Among pods that are equally ready Kubernetes takes those with the least cost first. */
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** The least cost of a busy pod, and the most: a day, in seconds. */
const busyCost = 10;
const maxCost = 86_400;

/** A pod whose cost does not say whether it is at work, and the annotations that do. */
export interface CostChange {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What has to be written before pods are taken away, so that idle ones go first. */
export const costChanges = (targetPods: readonly TargetPod[]): readonly CostChange[] =>
  targetPods
    .filter(({ pod, busySeconds }) => costOf(pod) >= busyCost !== (busySeconds !== undefined))
    .map(({ pod, busySeconds }) => {
      const cost = busySeconds === undefined ? 0 : Math.min(busyCost + busySeconds, maxCost);
      return { name: pod.metadata?.name ?? '', annotations: { [deletionCost]: String(cost) } };
    });

const costOf = ({ metadata }: V1Pod): number => Number(metadata?.annotations?.[deletionCost] ?? 0);
