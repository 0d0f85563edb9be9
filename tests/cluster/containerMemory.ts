import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import { isReady, getRole } from './pods.ts';
import type { Release } from './release.ts';

/** Memory use of a container, from its cgroup. */
export interface ContainerMemory {
  readonly role: string;
  /** Peak since its start, including the page cache. */
  readonly peakBytes: number;
  /** Current use without reclaimable page cache. */
  readonly workingBytes: number;
  /** Processes killed by the OOM killer. Kubernetes reports only the main process of a container. */
  readonly oomKills: number;
}

/** Supports cgroup v1 and v2. */
const script = `
cd /sys/fs/cgroup/memory 2>/dev/null && cat memory.usage_in_bytes memory.max_usage_in_bytes memory.stat memory.oom_control ||
  { cd /sys/fs/cgroup && cat memory.current memory.peak memory.stat memory.events; }`;

/** Reads the memory use of a pod's first container. */
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

/**
 * Sample interval in ms. It is shorter than the termination grace period, so that the last sample of a pod is close to
 * its end.
 */
const everyMs = 5_000;

/** Samples the memory of every pod of a release until `stop`. Returns the last sample of each pod by name. */
export const watchMemory = (
  cluster: Cluster,
  { namespace, pods }: Release,
): { stop(): Promise<ReadonlyMap<string, ContainerMemory>> } => {
  const found = new Map<string, ContainerMemory>();
  const stopping = new AbortController();
  const takeSample = async (): Promise<void> => {
    for (const pod of (await pods()).filter(isReady)) {
      const { name } = pod.metadata;
      // The pod may be gone already.
      const memory = await measureMemory(cluster, namespace, name).catch(() => undefined);
      if (memory !== undefined) found.set(name, { role: getRole(pod), ...memory });
    }
  };
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await takeSample().catch(() => undefined);
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await takeSample();
  })();
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      return found;
    },
  };
};
