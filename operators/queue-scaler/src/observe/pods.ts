import type { V1Pod } from '@kubernetes/client-node';
import type { JobInHand } from './observeQueues.ts';
import type { Observation } from '../decide/observation.ts';

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

const isOver = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

const isReady = ({ status }: V1Pod): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
