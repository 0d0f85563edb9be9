import type { V1Pod } from '@kubernetes/client-node';
import type { JobInHand } from '../observe/observeQueues.ts';
import type { Observation } from '../decide/observation.ts';

/** Among pods that are equally ready Kubernetes takes those with the least cost first. */
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/** The least cost of a busy pod, and the most: a day, in seconds. */
const busyCost = 10;
const maxCost = 86_400;

/** A pod of the target, and for how long it has been at work. */
export interface TargetPod {
  readonly pod: V1Pod;
  /** Of its oldest job; undefined where it has none. */
  readonly busySeconds: number | undefined;
}

/** Tells which pods are at work. Those that are going or have ended are none of the target any more. */
export const matchPods = (pods: readonly V1Pod[], jobs: readonly JobInHand[], now: number): readonly TargetPod[] =>
  pods
    .filter(({ metadata, status }) => metadata?.deletionTimestamp === undefined && !isOver(status?.phase))
    .map((pod) => {
      const own = jobs.filter(({ processedBy }) => processedBy === pod.metadata?.name);
      const ages = own.map(({ processedOn = now }) => Math.max(0, Math.floor((now - processedOn) / 1_000)));
      return { pod, busySeconds: ages.length === 0 ? undefined : Math.max(...ages) };
    });

/** What a decision wants to know of the pods; `pods` are all, since one that is going finishes its jobs. */
export const countPods = (
  pods: readonly V1Pod[],
  targetPods: readonly TargetPod[],
  jobs: readonly JobInHand[],
): Pick<Observation, 'busyPods' | 'busyUnreadyPods' | 'idlePods' | 'unattributedJobs'> => {
  const busy = targetPods.filter(({ busySeconds }) => busySeconds !== undefined);
  const names = new Set(pods.map(({ metadata }) => metadata?.name));
  return {
    busyPods: busy.length,
    busyUnreadyPods: busy.filter(({ pod }) => !isReady(pod)).length,
    idlePods: targetPods.length - busy.length,
    unattributedJobs: jobs.filter(({ processedBy = '' }) => !names.has(processedBy)).length,
  };
};

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

const isOver = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

const isReady = ({ status }: V1Pod): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
