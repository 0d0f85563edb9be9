import type { Cluster } from './cluster.ts';

/** What is looked at of a pod. */
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

/** What was seen of a pod, each moment in milliseconds since 1970 on the clock of this machine; undefined for what was not seen. */
export interface PodStory {
  readonly name: string;
  /** `api`, `postgres` … or, of a worker, `worker media`. */
  readonly role: string;
  address: string | undefined;
  createdAt: number;
  scheduledAt: number | undefined;
  startedAt: number | undefined;
  readyAt: number | undefined;
  /** When its end was asked for. */
  endAskedAt: number | undefined;
  goneAt: number | undefined;
  /** Reasons for which a container of it has ended, such as OOMKilled. */
  readonly endings: Set<string>;
}

/** Every pod of a namespace, from when the recorder was started. */
export interface PodRecorder {
  stories(): readonly PodStory[];
  stop(): void;
}

interface PodEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Pod;
}

/** Follows the pods of a namespace. */
export const recordPods = (cluster: Cluster, namespace: string): PodRecorder => {
  const stories = new Map<string, PodStory>();
  const stopping = new AbortController();
  const take = ({ type, object }: PodEvent): void => {
    if (type === 'BOOKMARK' || type === 'ERROR') return;
    const { metadata, status } = object;
    const now = Date.now();
    const story = stories.get(metadata.uid) ?? newStory(object, now);
    stories.set(metadata.uid, story);
    story.address = status.podIP ?? story.address;
    if (hasCondition(object, 'PodScheduled')) story.scheduledAt ??= now;
    const containers = status.containerStatuses ?? [];
    if (containers.some(({ state }) => state.running !== undefined)) story.startedAt ??= now;
    if (isReady(object)) story.readyAt ??= now;
    if (metadata.deletionTimestamp !== undefined || type === 'DELETED') story.endAskedAt ??= now;
    if (type === 'DELETED') story.goneAt ??= now;
    for (const { state, lastState } of containers)
      for (const { terminated } of [state, lastState]) if (terminated?.reason) story.endings.add(terminated.reason);
  };
  const path = `/api/v1/namespaces/${namespace}/pods?watch=1`;
  void cluster.watch(path, (event) => take(event as PodEvent), stopping.signal);
  return { stories: () => [...stories.values()], stop: () => stopping.abort() };
};

/** Whether a pod is ready, and not asked to end. */
export const isReady = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined && hasCondition(pod, 'Ready');

/** `api`, `postgres` … or, of a worker, `worker media`. */
export const roleOf = ({ metadata: { labels } }: Pod): string =>
  [labels['app.kubernetes.io/component'], labels['hearth.photos/pool']].filter(Boolean).join(' ');

const newStory = (pod: Pod, now: number): PodStory => ({
  name: pod.metadata.name,
  role: roleOf(pod),
  address: undefined,
  createdAt: now,
  scheduledAt: undefined,
  startedAt: undefined,
  readyAt: undefined,
  endAskedAt: undefined,
  goneAt: undefined,
  endings: new Set(),
});

const hasCondition = ({ status }: Pod, wanted: string): boolean =>
  status.conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;
