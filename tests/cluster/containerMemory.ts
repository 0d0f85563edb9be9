import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { isReady, roleOf } from './pods.ts';
import type { Release } from './release.ts';

/** What a container has used of its memory, by its cgroup. */
export interface ContainerMemory {
  readonly role: string;
  /** The most since it was started, the page cache included. */
  readonly peakBytes: number;
  /** Without the page cache that may be dropped. */
  readonly workingBytes: number;
  /** Processes that were killed because the limit was reached; of one that is not the first of its container Kubernetes does not tell. */
  readonly oomKills: number;
}

/** For cgroup v1, else v2. */
const script = `
cd /sys/fs/cgroup/memory 2>/dev/null && cat memory.usage_in_bytes memory.max_usage_in_bytes memory.stat memory.oom_control ||
  { cd /sys/fs/cgroup && cat memory.current memory.peak memory.stat memory.events; }`;

/** Looks at the memory of a pod's first container. */
export const measureMemory = async (
  { kubectl }: Cluster,
  namespace: string,
  pod: string,
): Promise<Omit<ContainerMemory, 'role'>> => {
  const text = await kubectl(['--namespace', namespace, 'exec', pod, '--', 'sh', '-c', script]);
  const [usage = '', peak = ''] = text.split('\n');
  const inactive = /^(?:total_)?inactive_file (\d+)$/m.exec(text)?.[1];
  const oomKills = /^oom_kill (\d+)$/m.exec(text)?.[1];
  return { peakBytes: Number(peak), workingBytes: Number(usage) - Number(inactive), oomKills: Number(oomKills ?? 0) };
};

/** Milliseconds between two looks: a container is asked for longer than that to end, and what it does meanwhile is small. */
const everyMs = 5_000;

/** Looks at every pod of Hearth and its servers again and again, until it is stopped, and answers the last look at each by the name of the pod. */
export const watchMemory = (
  cluster: Cluster,
  { namespace, pods }: Release,
): { stop(): Promise<ReadonlyMap<string, ContainerMemory>> } => {
  const found = new Map<string, ContainerMemory>();
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    for (const pod of (await pods()).filter(isReady)) {
      const { name } = pod.metadata;
      // A pod may be gone before it is looked at.
      const memory = await measureMemory(cluster, namespace, name).catch(() => undefined);
      if (memory !== undefined) found.set(name, { role: roleOf(pod), ...memory });
    }
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => undefined);
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await look();
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return found;
    },
  };
};
