import type { Cluster } from './cluster.ts';

/** The pod fields that are read. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly containers: readonly Container[] };
  readonly status: {
    readonly phase: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

interface Container {
  readonly image: string;
  readonly resources: PodResources;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
}

interface PodResources {
  readonly requests?: Readonly<Record<string, string>>;
}

interface ContainerStatus {
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
}

interface ContainerState {
  readonly running?: object;
  readonly terminated?: { readonly reason?: string; readonly exitCode: number; readonly finishedAt: string };
}

/** Timeline of a pod, in ms since 1970 on the local clock. Events that were not seen are undefined. */
export interface PodHistory {
  readonly name: string;
  /** Component such as `api`, or `worker media` for a worker with its pool. */
  readonly role: string;
  address: string | undefined;
  createdAt: number;
  scheduledAt: number | undefined;
  startedAt: number | undefined;
  readyAt: number | undefined;
  /** Time of the deletion request. */
  deletionRequestedAt: number | undefined;
  goneAt: number | undefined;
  /** Termination reasons of its containers, such as OOMKilled. */
  readonly endings: Set<string>;
}

/** Records every pod of a namespace from its start. */
export interface PodRecorder {
  histories(): readonly PodHistory[];
  stop(): void;
}

interface PodEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Pod;
}

export const recordPods = (cluster: Cluster, namespace: string): PodRecorder => {
  const histories = new Map<string, PodHistory>();
  const stopping = new AbortController();
  const take = ({ type, object }: PodEvent): void => {
    if (type === 'BOOKMARK' || type === 'ERROR') return;
    const { metadata, status } = object;
    const now = Date.now();
    const history = histories.get(metadata.uid) ?? createHistory(object, now);
    histories.set(metadata.uid, history);
    history.address = status.podIP ?? history.address;
    if (hasCondition(object, 'PodScheduled')) history.scheduledAt ??= now;
    const containers = status.containerStatuses ?? [];
    if (containers.some(({ state }) => state.running !== undefined)) history.startedAt ??= now;
    if (isReady(object)) history.readyAt ??= now;
    if (metadata.deletionTimestamp !== undefined || type === 'DELETED') history.deletionRequestedAt ??= now;
    if (type === 'DELETED') history.goneAt ??= now;
    for (const { state, lastState } of containers)
      for (const { terminated } of [state, lastState]) if (terminated?.reason) history.endings.add(terminated.reason);
  };
  const path = `/api/v1/namespaces/${namespace}/pods?watch=1`;
  void cluster.watch(path, (event) => take(event as PodEvent), stopping.signal);
  return { histories: () => [...histories.values()], stop: () => stopping.abort() };
};

/** Returns true if a pod is ready and not terminating. */
export const isReady = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined && hasCondition(pod, 'Ready');

/** Returns the component such as `api`, or `worker media` for a worker with its pool. */
export const getRole = ({ metadata: { labels } }: Pod): string =>
  [labels['app.kubernetes.io/component'], labels['hearth.photos/pool']].filter(Boolean).join(' ');

const createHistory = (pod: Pod, now: number): PodHistory => ({
  name: pod.metadata.name,
  role: getRole(pod),
  address: undefined,
  createdAt: now,
  scheduledAt: undefined,
  startedAt: undefined,
  readyAt: undefined,
  deletionRequestedAt: undefined,
  goneAt: undefined,
  endings: new Set(),
});

const hasCondition = ({ status }: Pod, wanted: string): boolean =>
  status.conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;
