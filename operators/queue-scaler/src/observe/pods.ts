import type { V1LabelSelector, V1Pod } from '@kubernetes/client-node';
import type { ActiveJob } from './observeQueues.ts';
import type { Observation } from '../decide/observation.ts';

/** A pod of the target with its busy time. */
export interface TargetPod {
  readonly pod: V1Pod;
  /** Age of its oldest active job in seconds. Undefined for an idle pod. */
  readonly busySeconds: number | undefined;
}

/** Matches pods with their active jobs. Terminating and ended pods are left out. */
export const matchPods = (pods: readonly V1Pod[], jobs: readonly ActiveJob[], now: number): readonly TargetPod[] =>
  pods
    .filter(({ metadata, status }) => metadata?.deletionTimestamp === undefined && !hasEnded(status?.phase))
    .map((pod) => {
      const podJobs = jobs.filter(({ processedBy }) => processedBy === pod.metadata?.name);
      const ages = podJobs.map(({ processedOn = now }) => Math.max(0, Math.floor((now - processedOn) / 1_000)));
      return { pod, busySeconds: ages.length === 0 ? undefined : Math.max(...ages) };
    });

/**
 * Counts busy and idle pods. `pods` includes terminating pods, because the jobs that they still process count as attributed.
 */
export const countPods = (
  pods: readonly V1Pod[],
  targetPods: readonly TargetPod[],
  jobs: readonly ActiveJob[],
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

const hasEnded = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

const isReady = ({ status }: V1Pod): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Formats a label selector for a query string. */
export const formatSelector = ({ matchLabels = {}, matchExpressions = [] }: V1LabelSelector): string =>
  [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      switch (operator) {
        case 'In':
          return `${key} in (${values.join(',')})`;
        case 'NotIn':
          return `${key} notin (${values.join(',')})`;
        case 'Exists':
          return key;
        case 'DoesNotExist':
          return `!${key}`;
        default:
          // Ignoring the expression would select pods of other Deployments.
          throw new Error(`the label selector has the unknown operator ${operator}`);
      }
    }),
  ].join(',');
